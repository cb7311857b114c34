"""Prints what is in the extension's libraries of a release, as CycloneDX.

    components.py FOLDER VERSION SERVER_VERSION ZSTD_VERSION

They have Zstandard compiled in, and link nothing but MySQL's own program and the C and C++ runtimes of the system.
"""

import hashlib
import json
import pathlib
import sys

LICENSES = [{"license": {"id": "GPL-2.0-only"}}]


def components(folder: pathlib.Path, version: str, server_version: str, zstd_version: str) -> dict:
    files = sorted(folder.glob("mysql_pq-*.so"))
    if not files:
        raise FileNotFoundError(f"no libraries mysql_pq-*.so in {folder}")
    libraries = [
        {
            "type": "file",
            "bom-ref": library.name,
            "name": library.name,
            "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(library.read_bytes()).hexdigest()}],
            "licenses": LICENSES,
        }
        for library in files
    ]
    server = {
        "type": "application",
        "bom-ref": "mysql-server",
        "name": "mysql-server",
        "version": server_version,
        "description": "Its headers are compiled in; it loads the library",
        "licenses": LICENSES,
    }
    zstd = {
        "type": "library",
        "bom-ref": "zstd",
        "name": "zstd",
        "version": zstd_version,
        "purl": f"pkg:github/facebook/zstd@v{zstd_version}",
        "description": "Compiled in, as the server's source has it",
        "licenses": [{"license": {"id": "BSD-3-Clause"}}],
    }
    extension = {"type": "library", "bom-ref": "mysql_pq", "name": "mysql_pq", "version": version, "licenses": LICENSES}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": extension},
        "components": [*libraries, server, zstd],
        "dependencies": [{"ref": "mysql_pq", "dependsOn": ["mysql-server", "zstd"]}],
    }


if __name__ == "__main__":
    print(json.dumps(components(pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]), indent=2))
