"""Makes the zip file of the dashboards that Superset imports, and imports it by Superset's API.

    bundle.py zip FILE --trino URI
    bundle.py import SUPERSET_URL --trino URI     (user admin, password from SUPERSET_ADMIN_PASSWORD)

URI is the Trino catalog as SQLAlchemy names it, such as trino://user@host:8080/mysql_pq.
Needs nothing but Python's own library. Importing again replaces what an earlier import made.
"""

import argparse
import http.cookiejar
import io
import json
import os
import pathlib
import urllib.error
import urllib.request
import uuid
import zipfile

BUNDLE = pathlib.Path(__file__).resolve().parent / "bundle"
PLACEHOLDER = "TRINO_URI"
# What the zip file is of, by the API that takes it. Each replaces things of its own kind only, and adds those of other kinds that are missing.
KINDS = {"database": "Database", "dataset": "SqlaTable", "chart": "Slice", "dashboard": "Dashboard"}


def zipped(trino: str, kind: str = "dashboard") -> bytes:
    """Returns the zip file's bytes; all of it lies in one folder, as Superset wants it."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(BUNDLE.rglob("*.yaml")):
            text = file.read_text(encoding="utf-8")
            if file.parent.name == "databases":
                text = text.replace(PLACEHOLDER, trino)
            if file.name == "metadata.yaml":
                text = text.replace(f"type: {KINDS['dashboard']}", f"type: {KINDS[kind]}")
            archive.writestr(f"mysql_pq/{file.relative_to(BUNDLE)}", text)
    return content.getvalue()


class Superset:
    """Speaks to a running Superset as its user admin."""

    def __init__(self, url: str, password: str):
        self.url = url.rstrip("/")
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        self.password = password
        self.log_in()

    def log_in(self) -> None:
        """To be called again after a while: Superset forgets who it is after 15 minutes."""
        login = {"username": "admin", "password": self.password, "provider": "db"}
        self.headers = {"Referer": self.url}
        token = self.post_json("/api/v1/security/login", login)["access_token"]
        self.headers["Authorization"] = f"Bearer {token}"
        self.headers["X-CSRFToken"] = self.call("/api/v1/security/csrf_token/")["result"]

    def post_json(self, path: str, body: dict) -> dict:
        return self.call(path, json.dumps(body).encode(), "application/json")

    def import_bundle(self, trino: str) -> None:
        for kind in KINDS:
            self.import_zip(kind, zipped(trino, kind))

    def import_zip(self, kind: str, content: bytes) -> dict:
        boundary = uuid.uuid4().hex
        body = b"".join((
            f'--{boundary}\r\nContent-Disposition: form-data; name="overwrite"\r\n\r\ntrue\r\n'.encode(),
            f'--{boundary}\r\nContent-Disposition: form-data; name="formData"; filename="mysql_pq.zip"\r\n'.encode(),
            b"Content-Type: application/zip\r\n\r\n", content, f"\r\n--{boundary}--\r\n".encode()))
        return self.call(f"/api/v1/{kind}/import/", body, f"multipart/form-data; boundary={boundary}")

    def call(self, path: str, body: bytes | None = None, kind: str | None = None, method: str | None = None) -> dict:
        headers = self.headers | ({"Content-Type": kind} if kind else {})
        request = urllib.request.Request(self.url + path, data=body, headers=headers, method=method)
        try:
            with self.opener.open(request, timeout=120) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise SystemExit(f"Superset refused {path}: {error.code} {error.read().decode(errors='replace')[:2000]}") from None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=("zip", "import"))
    parser.add_argument("target", help="the file to write, or the URL of Superset")
    parser.add_argument("--trino", required=True, help="the catalog as SQLAlchemy names it")
    arguments = parser.parse_args()
    if arguments.action == "zip":
        pathlib.Path(arguments.target).write_bytes(zipped(arguments.trino))
    else:
        Superset(arguments.target, os.environ["SUPERSET_ADMIN_PASSWORD"]).import_bundle(arguments.trino)


if __name__ == "__main__":
    main()
