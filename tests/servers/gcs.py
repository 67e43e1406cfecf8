"""A Google Cloud Storage server: gcp-storage-emulator, which keeps everything in memory. `gcs.py PORT`.

The emulator speaks the JSON API. What it lacks of the XML API is here, over what it stores: objects with generations
and preconditions on them, and listings in pages.
<https://cloud.google.com/storage/docs/xml-api/reference-methods>
"""
import hashlib
import re
import sys
import threading
from email.utils import formatdate
from functools import partial
from http.server import ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

from gcp_storage_emulator.exceptions import NotFound
from gcp_storage_emulator.handlers import buckets, objects
from gcp_storage_emulator.server import RequestHandler
from gcp_storage_emulator.storage import Storage

BUCKET = "zarrc-test"
JSON_API = ("/storage/", "/upload/", "/download/", "/batch/", "/b/")


class Memory(Storage):
    """Any name is the name of an object, and nothing but memory is written to."""

    def _object_path(self, bucket_name, file_name):
        return f"{bucket_name}/{hashlib.sha256(file_name.encode()).hexdigest()}"

    def _write_config_to_file(self):
        pass

    def delete_file(self, bucket_name, file_name):
        self._hard_delete_file(bucket_name, file_name)


class Handler(RequestHandler):
    protocol_version = "HTTP/1.1"  # connections are kept
    wbufsize = -1  # head and body of an answer in one packet
    disable_nagle_algorithm = True
    one_at_a_time = threading.Lock()

    def handle_expect_100(self):
        go_on = super().handle_expect_100()
        self.wfile.flush()
        return go_on

    def handle_method(self):
        with self.one_at_a_time:
            if self.path == "/" or self.path.startswith(JSON_API):
                return getattr(super(), f"do_{self.command}")()
            url = urlsplit(self.path)
            bucket, _, name = url.path[1:].partition("/")
            bucket = unquote(bucket)  # some encode its hyphens
            query = {key: values[0] for key, values in parse_qs(url.query, keep_blank_values=True).items()}
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if not name and self.command == "GET":
                return self.list_objects(bucket, query)
            self.an_object(bucket, unquote(name), query, body)

    do_GET = do_HEAD = do_PUT = do_POST = do_PATCH = do_DELETE = handle_method

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for header, value in headers.items():
            self.send_header(header.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def refuse(self, status, code):
        self.answer(status, f"<?xml version='1.0'?><Error><Code>{code}</Code></Error>".encode())

    def an_object(self, bucket, name, query, body):
        try:
            there = self.storage.get_file_obj(bucket, name)
        except NotFound:
            there = None
        generation = there["generation"] if there else "0"
        wanted = self.headers.get("x-goog-if-generation-match")
        tag = there and f'"{there["etag"]}"'
        if (wanted is not None and wanted != generation) or (self.headers.get("If-Match") or tag) != tag:
            return self.refuse(412, "PreconditionFailed")
        if self.command == "PUT" and not query:
            made = objects._make_object_resource("", bucket, name, self.headers.get("Content-Type"), len(body))
            made["etag"] = made["generation"]
            self.storage.create_file(bucket, name, body, objects._checksums(body, made))
            return self.answer(200, ETag=f'"{made["etag"]}"', x_goog_generation=made["generation"])
        if there is None or query.get("generation", generation) != generation:
            return self.refuse(404, "NoSuchKey")
        if self.command == "DELETE":
            self.storage.delete_file(bucket, name)
            return self.answer(204)
        if self.command not in ("GET", "HEAD"):
            return self.refuse(501, "NotImplemented")
        value, status = self.storage.get_file(bucket, name), 200
        headers = {"ETag": tag, "x_goog_generation": generation, "Last_Modified": formatdate(usegmt=True)}
        first, last = self.range(len(value))
        if first > last and value:
            return self.refuse(416, "InvalidRange")
        if "Range" in self.headers and value:
            headers["Content_Range"], status = f"bytes {first}-{last}/{len(value)}", 206
            value = value[first : last + 1]
        self.answer(status, value, **headers)

    def range(self, size):
        """The first and the last byte that are asked for."""
        first, last = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", "bytes=0-")).groups()
        if not first:
            return max(size - int(last), 0), size - 1 if int(last) else -1
        return int(first), min(int(last) if last else size, size - 1)

    def list_objects(self, bucket, query):
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
        after = query.get("continuation-token") or query.get("start-after") or ""
        try:
            found, prefixes = self.storage.get_file_list(bucket, prefix, delimiter or None)
        except NotFound:
            return self.refuse(404, "NoSuchBucket")
        entries = [(there["name"], there) for there in found] + [(name, None) for name in prefixes]
        entries = sorted((entry for entry in entries if entry[0] > after), key=lambda entry: entry[0])
        page = entries[: int(query.get("max-keys", 1000))]
        out = ["<?xml version='1.0' encoding='UTF-8'?><ListBucketResult>"]
        for name, there in page:
            if there is None:
                out.append(f"<CommonPrefixes><Prefix>{text(name)}</Prefix></CommonPrefixes>")
            else:
                out.append(
                    f"<Contents><Key>{text(name)}</Key><Generation>{there['generation']}</Generation>"
                    f"<LastModified>{there['updated']}</LastModified><ETag>\"{there['etag']}\"</ETag>"
                    f"<Size>{there['size']}</Size></Contents>"
                )
        if len(page) < len(entries):
            out.append(f"<NextContinuationToken>{text(page[-1][0])}</NextContinuationToken>")
        out.append(f"<IsTruncated>{str(len(page) < len(entries)).lower()}</IsTruncated></ListBucketResult>")
        self.answer(200, "".join(out).encode(), Content_Type="application/xml")


def text(name):
    return escape(name, {"\n": "&#10;", "\r": "&#13;"})


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024  # many threads connect at once


storage = Memory(use_memory_fs=True)
buckets.create_bucket(BUCKET, storage)
Server(("127.0.0.1", int(sys.argv[1])), partial(Handler, storage)).serve_forever()
