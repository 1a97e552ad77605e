"""The process behind `Tools/cluster`: it holds a cluster and does what commands over a local socket ask for."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid

from cluster import Cluster
from natsclient import Connection, NatsError
from nodes import LIST, SETUP

DIRECTORY = pathlib.Path(os.environ.get("DAYBOOK_CLUSTER_DIRECTORY", ".build/cluster")).resolve()
SOCKET = DIRECTORY / "control"
STREAM = "TODO"
SECONDS_TO_LIVE = 12 * 3600
USAGE = "usage: Tools/cluster start | status | kill-server N | stop-server N | kill-node N | stop-node N | cut A [B] | heal | end"


class Controller:
    """Does the commands, one at a time."""

    def __init__(self):
        self.cluster = Cluster(DIRECTORY)
        self.is_ending = False

    def start(self):
        self.cluster.start()
        self.cluster.make_nodes(STREAM, tokens=False)
        for line in [
            SETUP,
            *({"insert": "Item", "id": str(uuid.uuid4()), "values": {"name": name}, "relate": {"list": LIST}} for name in ("Buy bread", "Water the plants")),
        ]:
            status, _, answer = self.cluster.nodes[0].commit(line, str(uuid.uuid4()), seconds=30)
            if status != 201:
                raise RuntimeError(f"node 1 answered {status}: {answer}")

    def answer(self, words):
        """Returns what a command prints; raises `ValueError` for one that is not known."""
        match words:
            case ["status"]:
                return self.status()
            case ["kill-server", number]:
                self.server(number).kill()
            case ["stop-server", number]:
                self.server(number).hold()
            case ["kill-node", number]:
                self.node(number).kill()
            case ["stop-node", number]:
                self.node(number).hold()
            case ["cut", *ends] if 1 <= len(ends) <= 2:
                self.cluster.links.apply(self.links(ends), cut=True)
            case ["heal"]:
                self.cluster.heal()
            case ["end"]:
                self.is_ending = True
                return "ended"
            case _:
                raise ValueError(USAGE)
        return self.status()

    def server(self, number):
        return self.cluster.servers[self.number(number)]

    def node(self, number):
        return self.cluster.nodes[self.number(number) - 1]

    @staticmethod
    def number(text):
        if text not in ("1", "2", "3"):
            raise ValueError(f"{text} is not 1, 2 or 3")
        return int(text)

    def links(self, ends):
        links = self.cluster.links.named(*(end if end[0] in "ns" else f"s{end}" for end in ends))
        if not links:
            raise ValueError(f"there is no link of {' and '.join(ends)}: a server is 1 or s1, a node n1")
        return links

    def status(self):
        leader = self.leader()
        lines = [f"server {server.number}  {state(server)}{', leader of the stream' if server.name == leader else ''}" for server in self.cluster.servers.all]
        lines += [f"node {node.number}    {state(node)}{self.head(node)}  {node.address}" for node in self.cluster.nodes]
        lines += [f"link {' '.join(link.name)}  {link.state}" for link in self.cluster.links if link.state != "open"]
        return "\n".join(lines)

    def leader(self):
        ports = [server.client_port for server in self.cluster.servers.all if server.is_running and not server.is_held]
        with contextlib.suppress(NatsError), Connection(ports, 1) as connection:
            return connection.api(f"STREAM.INFO.{STREAM}", seconds=1).get("cluster", {}).get("leader")
        return None

    @staticmethod
    def head(node):
        if not node.is_running or node.is_held:
            return ""
        try:
            return f", head {node.mark(seconds=2)}"
        except (OSError, ValueError, KeyError):
            return ", does not answer"

    def pages(self):
        return "\n".join(f"node {node.number}  {node.address}  writes with the token in {node.token_file}" for node in self.cluster.nodes)


def state(process):
    return "held" if process.is_held else "running" if process.is_running else "ended"


def serve():
    """Starts the cluster and does commands until `end`, a signal, or the end of its time."""
    controller = Controller()
    signal.signal(signal.SIGTERM, lambda *_: setattr(controller, "is_ending", True))
    try:
        controller.start()
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(SOCKET))
            os.chmod(SOCKET, 0o600)
            listener.listen()
            listener.settimeout(1)
            end = time.monotonic() + SECONDS_TO_LIVE
            while not controller.is_ending and time.monotonic() < end:
                with contextlib.suppress(TimeoutError):
                    connection, _ = listener.accept()
                    with connection:
                        serve_one(controller, connection)
    finally:
        SOCKET.unlink(missing_ok=True)
        controller.cluster.stop()


def serve_one(controller, connection):
    connection.settimeout(5)
    with connection.makefile("rw") as stream:
        words = json.loads(stream.readline())
        try:
            answer = {"text": controller.pages() if words == ["pages"] else controller.answer(words)}
        # Whatever goes wrong is the answer: the cluster goes on.
        except Exception as error:  # noqa: BLE001
            answer = {"error": str(error)}
        if controller.is_ending:
            controller.cluster.stop()
        connection.settimeout(5)
        stream.write(json.dumps(answer) + "\n")


def ask(words, seconds=120):
    """Sends a command to the process in the background and returns its answer."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(seconds)
        connection.connect(str(SOCKET))
        with connection.makefile("rw") as stream:
            stream.write(json.dumps(words) + "\n")
            stream.flush()
            return json.loads(stream.readline())


def start():
    """Starts the process in the background and waits until the pages can be opened."""
    if SOCKET.exists():
        with contextlib.suppress(OSError, ValueError):
            ask(["status"], 10)
            sys.exit("The cluster runs already; `Tools/cluster status` shows it, `Tools/cluster end` ends it.")
    shutil.rmtree(DIRECTORY, ignore_errors=True)
    DIRECTORY.mkdir(parents=True)
    with open(DIRECTORY / "log", "w", encoding="utf-8") as log:
        process = subprocess.Popen([sys.executable, __file__, "serve"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    end = time.monotonic() + 120
    while not SOCKET.exists():
        if process.poll() is not None or time.monotonic() > end:
            process.terminate()
            sys.exit(f"The cluster did not start:\n{(DIRECTORY / 'log').read_text()}")
        time.sleep(0.2)
    print(ask(["pages"])["text"])


def main(words):
    if words == ["serve"]:
        serve()
    elif words == ["start"]:
        start()
    elif not words:
        sys.exit(USAGE)
    else:
        try:
            answer = ask(words)
        except OSError:
            sys.exit("No cluster runs; `Tools/cluster start` starts one.")
        if "error" in answer:
            sys.exit(answer["error"])
        print(answer["text"])


if __name__ == "__main__":
    main(sys.argv[1:])
