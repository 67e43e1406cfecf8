"""An S3 server: moto, which keeps everything in memory. `s3.py PORT`.

moto checks the condition of a put and then puts; one request at a time makes that one step, as it is in S3.
"""
import io
import sys
import threading

from moto.server import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from werkzeug.serving import ThreadedWSGIServer, run_simple

dispatch = DomainDispatcherApplication(create_backend_app)
one_at_a_time = threading.Lock()


def application(environ, start_response):
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    with one_at_a_time:
        return list(dispatch(environ | {"wsgi.input": io.BytesIO(body)}, start_response))


class Handler(MotoRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_request(self, *_):
        pass


ThreadedWSGIServer.request_queue_size = 1024  # many threads connect at once, each for one request
run_simple("127.0.0.1", int(sys.argv[1]), application, threaded=True, request_handler=Handler)
