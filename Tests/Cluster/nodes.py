"""Nodes of a cluster: `daybook serve` processes with stores of their own, on one stream."""

import concurrent.futures
import http.client
import json
import re
import select
import signal
import subprocess
import time

from daybook import BINARY, Server, Store, suspend
from history import Commit
from ports import free_port

TOKEN = "token-of-the-cluster-tests"

# The small to-do model: lists, their items in order, and a register that writers set.
MODEL = {
    "entities": [
        {
            "name": "List",
            "nameAttribute": "name",
            "attributes": [{"name": "name", "type": "string"}],
            "relationships": [{"name": "items", "to": "Item", "many": True, "ordered": True, "inverse": "list", "onDelete": "cascade"}],
        },
        {
            "name": "Item",
            "nameAttribute": "name",
            "attributes": [{"name": "name", "type": "string"}, {"name": "done", "type": "boolean", "default": False}],
            "relationships": [{"name": "list", "to": "List", "inverse": "items"}],
        },
        {"name": "Register", "nameAttribute": "name", "attributes": [{"name": "name", "type": "string"}, {"name": "value", "type": "string"}]},
    ]
}
LIST = "00000000-0000-4000-8000-00000000000a"
REGISTER = "00000000-0000-4000-8000-00000000000b"
FIRST_VALUE = "first"
SETUP = {
    "commit": [
        {"insert": "List", "id": LIST, "values": {"name": "To do"}},
        {"insert": "Register", "id": REGISTER, "values": {"name": "Register", "value": FIRST_VALUE}},
    ]
}


class CommandError(Exception):
    """The command ended with a status other than 0, or not in time."""


def command(*arguments, seconds=60):
    """Returns what the command prints."""
    try:
        result = subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        raise CommandError(f"{arguments[0]} took more than {seconds} s") from error
    if result.returncode != 0:
        raise CommandError(f"{arguments[0]} ended with {result.returncode}: {result.stderr.strip()} {result.stdout.strip()[:2000]}")
    return result.stdout


class Node(Server):
    """One node, which can be killed, held and started again at the same port."""

    def __init__(self, number, directory, address, tokens=True, options=()):
        # The process is started after the store exists, so the initializer of `Server` is not called.
        self.number = number
        self.name = f"n{number}"
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        self.store = Store(directory / "store.daybook")
        self.journal_address = address
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.process = None
        self.is_held = False
        self.options = ["--write", *options]
        self.has_own_tokens = tokens
        if tokens:
            file = directory / "tokens"
            file.write_text(f"{TOKEN} write tests\n", encoding="utf-8")
            file.chmod(0o600)
            self.options += ["--token-file", str(file)]

    def init(self, replicas=3):
        model = self.directory / "model.json"
        model.write_text(json.dumps(MODEL), encoding="utf-8")
        command("init", self.store.path, "--model", model, "--journal", self.journal_address, "--replicas", replicas)

    def join(self):
        command("join", self.store.path, "--journal", self.journal_address)

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def start(self, seconds=40):
        assert not self.is_running
        errors = open(self.directory / "log", "a", encoding="utf-8")
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True)
        self.is_held = False
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        line = self.process.stdout.readline() if ready else ""
        if not re.search(r"listening on http://127\.0\.0\.1:\d+", line):
            self.kill()
            raise CommandError(f"serve of {self.name} said {line!r} in {seconds} s: {self.log_tail()}")

    @property
    def token_file(self):
        """The file that the server named, if it was given none."""
        return re.findall(r"token for writing is in (\S+)\.\n", (self.directory / "log").read_text())[-1]

    @property
    def token(self):
        if self.has_own_tokens:
            return TOKEN
        with open(self.token_file, encoding="utf-8") as file:
            return file.read().split()[0]

    def log_tail(self, lines=20):
        return "\n".join((self.directory / "log").read_text(errors="replace").splitlines()[-lines:])

    def kill(self):
        if self.process is not None:
            super().kill()
        self.is_held = False

    def hold(self):
        if self.is_running:
            suspend(self.process)
            self.is_held = True

    def resume(self):
        if self.is_held and self.is_running:
            self.process.send_signal(signal.SIGCONT)
        self.is_held = False

    def stop(self):
        self.resume()
        if self.process is not None:
            super().stop()

    def heal(self):
        self.resume()
        if not self.is_running:
            self.start()

    def request(self, method, path, value=None, headers=(), seconds=10):
        """Returns status, fields and JSON of an answer; raises `OSError` or `HTTPException` if there is none."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            body = None if value is None else json.dumps(value)
            connection.request(method, path, body, {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **dict(headers)})
            response = connection.getresponse()
            text = response.read()
            return response.status, response.headers, json.loads(text) if text else None
        finally:
            connection.close()

    def commit(self, operation, commit, seconds=10):
        return self.request("POST", "/api/commits", operation, {"Idempotency-Key": commit}, seconds)

    def mark(self, seconds=5):
        """Returns the id of the head as streams have it, `POSITION-HASH8`."""
        _, _, stats = self.request("GET", "/api/stats", seconds=seconds)
        return f"{stats['head']}-{stats['hash'][:8]}"

    def journal(self):
        """Returns the commits of the store's log."""
        return [commit_of(json.loads(line)) for line in command("log", self.store.path, "--jsonl").splitlines()]

    def faults(self):
        """Returns what a verification of the store found."""
        result = subprocess.run([BINARY, "verify", self.store.path, "--json"], capture_output=True, text=True, timeout=120, check=False)
        report = json.loads(result.stdout)
        return [] if report["ok"] and result.returncode == 0 else report["faults"] or [result.stderr]

    def rows(self):
        """Returns the checkpoint of the projection of activity at the head, and the digest of its rows."""
        command("activity", self.store.path, "--json")
        projection = json.loads(command("projection", self.store.path, "activity", "--json"))["projection"]
        return projection["checkpoint"], projection["digest"]

    def replication(self):
        return json.loads(command("replication", self.store.path, "--json"))

    def fork(self):
        """Returns the first position at which the node differs from the stream, or `None`."""
        fork = self.replication().get("fork")
        return fork["position"] if isinstance(fork, dict) else fork


def commit_of(line):
    """Returns what a line of the log means for the checker."""
    register = appended = None
    for event in line.get("events", []):
        if event["event"] == "set" and event["object"] == REGISTER:
            register = tuple(event["values"]["value"])
        elif event["event"] == "inserted" and event["entity"] == "Item":
            appended = event["object"]
    return Commit(line["position"], line["hash"], line["commitID"], register, appended)


def together(function, nodes):
    """Calls a function with each node, all at the same time, and returns the results in the order of the nodes."""
    with concurrent.futures.ThreadPoolExecutor(max(1, len(nodes))) as pool:
        return list(pool.map(function, nodes))


def wait_for(condition, seconds, what, pause=0.1):
    """Returns the first true value of a condition; raises `TimeoutError` if there is none in time."""
    end = time.monotonic() + seconds
    while True:
        if value := condition():
            return value
        if time.monotonic() > end:
            raise TimeoutError(f"still not after {seconds} s: {what}")
        time.sleep(pause)
