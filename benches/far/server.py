"""The server of run.py and workers.py (server/main.go, needs Go): S3 and HTTP on loopback, with a delay and a count of requests."""
import contextlib
import json
import pathlib
import subprocess
import tempfile
import time
import urllib.request


def ask(address, what):
    return urllib.request.urlopen(f"http://{address}/{what}").read()


def counted(address):
    """How many requests of each kind, and in `total`, an address had since the last time."""
    return json.loads(ask(address, "__counts"))


def drop(address, prefix):
    """Deletes the keys that begin with `prefix`."""
    ask(address, f"__drop?prefix={prefix}")


@contextlib.contextmanager
def running(port, *delays):
    """The addresses of one store, one for each delay in milliseconds."""
    source = pathlib.Path(__file__).resolve().parent / "server/main.go"
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory(dir="/dev/shm") as values:
        subprocess.run(["go", "build", "-o", f"{folder}/server", source], check=True)
        addresses = [f"127.0.0.1:{port + n}" for n in range(len(delays))]
        places = [f"{address}={delay:g}ms" for address, delay in zip(addresses, delays)]
        server = subprocess.Popen([f"{folder}/server", values, *places])
        try:
            for address in addresses:
                wait(address, server)
            yield addresses
        finally:
            server.terminate()
            server.wait()


def wait(address, server):
    for _ in range(100):
        try:
            return counted(address)
        except OSError:
            if server.poll() is not None:
                break
            time.sleep(0.05)
    raise SystemExit(f"no server at {address}")
