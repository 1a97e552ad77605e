"""Servers of NATS with JetStream on loopback, and the faults that a test can make them have."""

import contextlib
import pathlib
import shutil
import signal
import subprocess
import time

from daybook import suspend
from natsclient import Connection, NatsError
from ports import DeadPort, free_port

BINARY = shutil.which("nats-server") or "/usr/sbin/nats-server"

CONFIGURATION = """\
server_name: s{number}
listen: "127.0.0.1:{client_port}"
pid_file: "{directory}/pid"
log_file: "{directory}/log"
logtime: true
max_payload: 1MB
write_deadline: "2s"
ping_interval: "2s"
ping_max: 2
jetstream {{ store_dir: "{directory}/data", max_memory_store: 67108864, max_file_store: 4294967296 }}
"""

# A server tells the others at which address it can be reached, and they would then connect past the links. So it names a
# port that refuses connections, and only the configured routes, which are links, are left.
CLUSTER = """\
cluster {{
  name: daybook
  listen: "127.0.0.1:{route_port}"
  cluster_advertise: "127.0.0.1:{dead_port}"
  no_advertise: true
  routes: [{routes}]
}}
"""


class Server:
    """One process of nats-server with a directory of its own."""

    def __init__(self, number, directory):
        self.number = number
        self.name = f"s{number}"
        self.directory = pathlib.Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.client_port = free_port()
        self.route_port = free_port()
        self.process = None
        self.is_held = False

    def configure(self, routes, dead_port):
        text = CONFIGURATION.format(number=self.number, client_port=self.client_port, directory=self.directory)
        if routes:
            urls = ", ".join(f'"nats://127.0.0.1:{port}"' for port in routes)
            text += CLUSTER.format(route_port=self.route_port, dead_port=dead_port, routes=urls)
        (self.directory / "server.conf").write_text(text, encoding="utf-8")

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    @property
    def log(self):
        path = self.directory / "log"
        return path.read_text(errors="replace") if path.exists() else ""

    def start(self):
        assert not self.is_running
        self.process = subprocess.Popen(
            [BINARY, "-c", self.directory / "server.conf"], stdout=subprocess.DEVNULL, stderr=open(self.directory / "errors", "a"), start_new_session=True
        )
        self.is_held = False

    def signal(self, number):
        if self.is_running:
            self.process.send_signal(number)

    def kill(self):
        """Ends the process at once; the pages that it wrote are in the system's cache and stay."""
        self.signal(signal.SIGKILL)
        if self.process is not None:
            self.process.wait(10)
        self.is_held = False

    def stop(self):
        """Ends the process after it has flushed its files."""
        if self.is_held:
            self.resume()
        self.signal(signal.SIGTERM)
        if self.process is not None:
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def hold(self):
        """Holds the process: it keeps its connections and answers nothing."""
        if self.is_running:
            suspend(self.process)
        self.is_held = True

    def resume(self):
        self.signal(signal.SIGCONT)
        self.is_held = False

    @property
    def data(self):
        return self.directory / "data"

    def empty(self):
        """Removes all that the server has on disk, while it does not run."""
        assert not self.is_running
        shutil.rmtree(self.data, ignore_errors=True)

    def keep_copy(self):
        """Copies what is on disk now; `put_back` makes the server have only that."""
        copy = self.directory / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        # A held process changes nothing, but a file may have gone between the list and the copy of a directory.
        with contextlib.suppress(shutil.Error):
            shutil.copytree(self.data, copy)

    def put_back(self):
        assert not self.is_running
        shutil.rmtree(self.data, ignore_errors=True)
        shutil.copytree(self.directory / "copy", self.data)


class Servers:
    """One server, or a cluster of three whose routes are links."""

    def __init__(self, directory, links, count=3):
        assert count in (1, 3)
        self.directory = pathlib.Path(directory)
        self.links = links
        self.dead = DeadPort()
        self.all = [Server(number, self.directory / f"s{number}") for number in range(1, count + 1)]
        for server in self.all:
            routes = []
            for other in self.all:
                if other is not server:
                    link = links.add((server.name, other.name), free_port(), other.route_port)
                    routes.append(link.port)
            server.configure(routes, self.dead.port)

    def __getitem__(self, number):
        return self.all[number - 1]

    @property
    def ports(self):
        return [server.client_port for server in self.all]

    def start(self, seconds=40):
        for server in self.all:
            if not server.is_running:
                server.start()
        self.wait_until_ready(seconds)

    def wait_until_ready(self, seconds=40):
        """Waits until JetStream answers, which takes the election of a leader in a cluster."""
        end = time.monotonic() + seconds
        while True:
            try:
                with Connection(self.ports) as connection:
                    connection.api("STREAM.NAMES", {})
                    return
            except NatsError as error:
                if time.monotonic() > end:
                    raise NatsError(f"JetStream does not answer after {seconds} s: {error}\n{self.logs()}") from error
                time.sleep(0.2)

    def wait_until_placing(self, seconds=60):
        """Waits until a stream can have a replica on each server; a server that was cut off counts as gone for a while."""
        end = time.monotonic() + seconds
        while True:
            try:
                with Connection(self.ports) as connection:
                    connection.api("STREAM.CREATE.PROBE", {"name": "PROBE", "subjects": ["probe"], "num_replicas": len(self.all)}, seconds=5)
                    connection.api("STREAM.DELETE.PROBE", seconds=5)
                    return
            except NatsError as error:
                if time.monotonic() > end:
                    raise NatsError(f"no stream can be placed after {seconds} s: {error}\n{self.logs()}") from error
                time.sleep(0.3)

    def stream_is_whole(self, stream):
        """Tells whether the stream has a leader, and all other replicas are up to date with it."""
        try:
            with Connection(self.ports) as connection:
                cluster = connection.api(f"STREAM.INFO.{stream}").get("cluster", {})
        except NatsError:
            return False
        replicas = cluster.get("replicas") or []
        return (
            bool(cluster.get("leader"))
            and len(replicas) == len(self.all) - 1
            and all(replica.get("current") and not replica.get("offline") for replica in replicas)
        )

    def logs(self, lines=15):
        return "\n".join(f"--- {server.name}\n" + "\n".join(server.log.splitlines()[-lines:]) for server in self.all)

    def heal(self):
        for server in self.all:
            if server.is_held:
                server.resume()
            if not server.is_running:
                server.start()

    def stop(self):
        for server in self.all:
            if server.is_held:
                server.resume()
            server.signal(signal.SIGTERM)
        for server in self.all:
            server.stop()
        self.dead.close()
