#!/usr/bin/env python3
"""The bill of materials of the library and the command, as CycloneDX 1.5 in JSON, on standard output.

cargo says what is linked in with the default features (see licences.py).
"""
import json
import re
import sys

import licences

# C code that is in no crate of its own
BUNDLED = [("zfp", "1.0.1", "BSD-3-Clause", "https://github.com/LLNL/zfp")]


def component(name, version, licence, **more):
    licence = re.sub(r"\s*/\s*", " OR ", licence)
    return {"type": "library", "bom-ref": f"{name}@{version}", "name": name, "version": version,
            "licenses": [{"expression": licence}], **more}


def main():
    digests = {tuple(found[:2]): found[2] for found in
               re.findall(r'name = "(.*)"\nversion = "(.*)"\nsource = ".*"\nchecksum = "(.*)"', (licences.ROOT / "Cargo.lock").read_text())}
    components = []
    for package in licences.linked("--package", "zarrc", "--package", "zarrc-cli"):
        name, version = package["name"], package["version"]
        components.append(component(
            name, version, package["license"], purl=f"pkg:cargo/{name}@{version}",
            hashes=[{"alg": "SHA-256", "content": digests[name, version]}]))
    for name, version, licence, url in BUNDLED:
        components.append(component(name, version, licence, externalReferences=[{"type": "vcs", "url": url}]))
    own = component("zarrc", licences.version(), "MIT OR Apache-2.0")
    document = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
                "metadata": {"component": own},
                "components": components,
                "dependencies": [{"ref": own["bom-ref"], "dependsOn": [c["bom-ref"] for c in components]}]}
    json.dump(document, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
