"""zarr-python's own tests with zarrc's pipeline fail where they fail without it, and nowhere else.

    run.py DIRECTORY      ZARRC_LIBRARY: the library; PYTHONPATH: a package with its metadata (pip install --target)

DIRECTORY receives the source of the installed zarr-python, whose tests run twice.
"""

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import zarr

# Tests that must fail with any other pipeline, and why.
EXPECTED = {
    "test_config_codec_pipeline_class": "expects zarr-python's own pipeline, whatever the environment says",
}


def source(directory):
    """The source with its tests."""
    wanted = f"zarr=={zarr.__version__}"
    download = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", wanted, "-d", directory]
    subprocess.run(download, check=True)
    with tarfile.open(next(Path(directory).glob("zarr-*.tar.gz"))) as packed:
        packed.extractall(directory, filter="data")
    return next(path for path in Path(directory).glob("zarr-*") if path.is_dir())


def failures(tests, pipeline):
    """The tests that fail with a pipeline, and what pytest says of all of them."""
    environment = {**os.environ, "ZARR_CODEC_PIPELINE__PATH": pipeline}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", "tests"]
    done = subprocess.run(command, cwd=tests, env=environment, stdout=subprocess.PIPE, text=True)
    lines = done.stdout.splitlines()
    if done.returncode not in (0, 1):
        sys.exit("\n".join(lines[-30:]))
    return {found[1] for line in lines if (found := re.match(r"(?:FAILED|ERROR) (\S+)", line))}, lines[-1]


def main():
    tests = source(sys.argv[1])
    plain, said = failures(tests, "zarr.core.codec_pipeline.BatchedCodecPipeline")
    print("zarr-python's pipeline:", said)
    ours, said = failures(tests, "zarrc.CodecPipeline")
    print("zarrc's pipeline:      ", said)
    more = sorted(test for test in ours - plain if re.split(r"::|\[", test)[1] not in EXPECTED)
    if more:
        sys.exit("\n".join(["these fail with zarrc's pipeline only:", *more]))
    print(f"{len(ours - plain)} fail with zarrc's pipeline only, as they must:", *EXPECTED)


if __name__ == "__main__":
    main()
