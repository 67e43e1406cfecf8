#!/bin/sh
# Everything that a release publishes, with digests:
#   tools/release.sh DIRECTORY            from a clean checkout; refuses placeholders in packaging/publisher
#   tools/release.sh --trial DIRECTORY    with placeholders and uncommitted changes
# Nothing is uploaded. DIRECTORY gets the source, tarballs for two machines, wheels, Debian packages for this
# machine, the crate, filled-in recipes, a bill of materials (CycloneDX) and SHA256SUMS.
set -eu
trial=""
[ "$1" = --trial ] && trial=yes && shift
mkdir -p "$1"
to=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"$/\1/p;T;q' Cargo.toml)

if [ -z "$trial" ]; then
    if grep -q 'example\.org' packaging/publisher; then
        echo "packaging/publisher holds placeholders: fill it in, and run tools/version.py --write" >&2
        exit 1
    fi
    if [ -n "$(git status --porcelain)" ]; then
        echo "there are uncommitted changes" >&2
        exit 1
    fi
    grep -q "^## $version\$" CHANGELOG.md || {
        echo "CHANGELOG.md has no section $version" >&2
        exit 1
    }
fi
tools/version.py
tools/licences.py

git archive --prefix="zarrc-$version/" HEAD | gzip -n9 > "$to/zarrc-$version.tar.gz"
for machine in x86_64 aarch64; do
    tools/tarball.sh "$machine" "$to"
done
tools/wheels.sh "$to"
tools/deb.sh "$to/debian"
cargo package --locked --no-verify --package zarrc ${trial:+--allow-dirty}
cp "${CARGO_TARGET_DIR:-target}/package/zarrc-$version.crate" "$to"
tools/recipes.py "$to/zarrc-$version.tar.gz" "$to/packaging"
tools/sbom.py > "$to/zarrc-$version.cdx.json"
(cd "$to" && find . -type f ! -name SHA256SUMS | sort | xargs sha256sum > SHA256SUMS)
cat "$to/SHA256SUMS"
