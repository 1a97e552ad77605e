"""Clients of a cluster: writers, readers and followers, each a thread that records what it did and saw."""

import contextlib
import http.client
import json
import random
import socket
import threading
import time
import uuid

from history import Operation, Outcome, Read
from listcopy import ListCopy
from nodes import LIST, REGISTER, TOKEN

NOTHING_WRITTEN = "Nothing was written."
WRITES = {"append": 6, "write": 3, "swap": 2}
"""The kinds of writes, and how often each is chosen."""
NO_ANSWER = (OSError, http.client.HTTPException, ValueError)


class Client(threading.Thread):
    """A thread that works in rounds until it is told to end; `trouble` has what it could not explain."""

    def __init__(self, name, seed):
        super().__init__(name=name, daemon=True)
        self.generator = random.Random(f"{seed}-{name}")
        self.ending = threading.Event()
        self.trouble = []

    def run(self):
        try:
            while not self.ending.is_set():
                self.work()
        # Whatever ends a thread is reported, and not lost with it.
        except Exception as error:  # noqa: BLE001
            self.trouble.append(f"{self.name} ended by {error!r}")

    def work(self):
        raise NotImplementedError

    def end(self):
        """Tells the thread to end after what it does now."""
        self.ending.set()


class Writer(Client):
    """Appends to the list and sets the register, some of it only if the register is untouched.

    A write without an answer is sent again, with the same commit id, to the same node or another one. It counts as refused
    only if every attempt was refused: what had no answer may still take effect.
    """

    ATTEMPTS = 4
    SENT_TWICE = 0.05

    def __init__(self, number, node, nodes, seed, kinds=None):
        super().__init__(f"w{node.number}.{number}", seed)
        self.node, self.nodes = node, nodes
        self.kinds = kinds or WRITES
        self.operations = []
        self.statuses = {}
        self.repeats = []

    def work(self):
        identity = str(uuid.UUID(int=self.generator.getrandbits(128), version=4))
        kind = self.generator.choices(list(self.kinds), list(self.kinds.values()))[0]
        since = None
        if kind == "append":
            value = {"insert": "Item", "id": identity, "values": {"name": f"{self.name} {len(self.operations)}", "done": False}, "relate": {"list": LIST}}
        else:
            value = {"set": REGISTER, "values": {"value": identity}}
        if kind == "swap":
            since = self.position()
            if since is None:
                self.ending.wait(0.1)
                return
            value["when"] = {"untouched": REGISTER, "since": since}
        operation = Operation(str(uuid.UUID(int=self.generator.getrandbits(128), version=4)), self.name, kind, identity, time.monotonic(), since=since)
        self.operations.append(operation)
        self.send(operation, value)
        self.ending.wait(self.generator.uniform(0, 0.06))

    def send_again(self, operation, value):
        """Sends what is acknowledged once more, as after a lost answer: it has the position that it had, at every node."""
        node = self.generator.choice(self.nodes)
        try:
            status, _, answer = node.commit(value, operation.commit)
        except NO_ANSWER:
            return
        if (status == 201 and answer["position"] != operation.position) or 400 <= status < 500:
            self.repeats.append((node.number, f"doubled: {operation}, sent again to node {node.number}, is answered with {status} and {answer}"))

    def position(self):
        try:
            status, fields, _ = self.node.request("GET", f"/api/objects/{REGISTER}", seconds=2)
            return int(fields["ETag"].strip('W/"').split("-")[0]) if status == 200 else None
        except NO_ANSWER:
            return None

    def send(self, operation, value):
        # Only an answer that says so proves that nothing was written.
        is_certain = True
        for attempt in range(self.ATTEMPTS):
            node = self.node if attempt == 0 or self.generator.random() < 0.5 else self.generator.choice(self.nodes)
            try:
                status, _, answer = node.commit(value, operation.commit)
            except NO_ANSWER as error:
                status, answer = type(error).__name__, None
            self.statuses[status] = self.statuses.get(status, 0) + 1
            if status == 201:
                operation.returned, operation.outcome = time.monotonic(), Outcome.ACKNOWLEDGED
                operation.position, operation.node = answer["position"], node.number
                if self.generator.random() < self.SENT_TWICE:
                    self.send_again(operation, value)
                return
            if status == 200:
                self.trouble.append(f"{operation} changed nothing at node {node.number}: {answer}")
                return
            if status in (400, 401, 403, 404, 409, 413, 422):
                # A condition that does not hold, many conflicts, or a fork.
                break
            is_certain = is_certain and status == 503 and NOTHING_WRITTEN in answer["detail"]
            if self.ending.wait(self.generator.uniform(0.05, 0.4)):
                break
        if is_certain:
            operation.returned, operation.outcome = time.monotonic(), Outcome.REFUSED


class Reader(Client):
    """Reads the list and the register of one node."""

    def __init__(self, node, seed):
        super().__init__(f"r{node.number}", seed)
        self.node = node
        self.reads = []

    def work(self):
        if self.generator.random() < 0.05:
            # Applies the commits that the projection of activity lacks, so that each node applies others at a time.
            with contextlib.suppress(*NO_ANSWER):
                self.node.request("GET", "/api/activity", seconds=3)
        reads_list = self.generator.random() < 0.5
        invoked = time.monotonic()
        try:
            status, fields, value = self.node.request("GET", f"/api/objects/{LIST if reads_list else REGISTER}", seconds=3)
        except NO_ANSWER:
            status = None
        if status == 200:
            position = int(fields["ETag"].strip('W/"').split("-")[0])
            self.reads.append(
                Read(
                    self.node.number,
                    position,
                    invoked,
                    time.monotonic(),
                    None if reads_list else value["values"]["value"],
                    tuple(value["links"]["items"]) if reads_list else None,
                )
            )
        self.ending.wait(self.generator.uniform(0.05, 0.2))


class Follower(Client):
    """Follows a feed from node to node: whenever a stream breaks or is silent, it goes on at another node by its last id."""

    SILENCE = 6

    def __init__(self, name, path, nodes, mark, seed):
        super().__init__(name, seed)
        self.path, self.nodes = path, nodes
        self.mark = mark
        self.node = self.generator.choice(nodes)
        self.moves = 0
        self.resets = []
        self.socket = None

    @property
    def position(self):
        return int(self.mark.split("-")[0])

    def work(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.node.port, timeout=self.SILENCE)
        until = time.monotonic() + self.generator.uniform(1, 8)
        try:
            connection.request("GET", self.path, headers={"Authorization": f"Bearer {TOKEN}", "Last-Event-ID": self.mark})
            self.socket = connection.sock
            response = connection.getresponse()
            if response.status == 200:
                self.read(response, until)
        except NO_ANSWER:
            pass
        finally:
            connection.close()
        self.moves += 1
        self.node = self.generator.choice(self.nodes)
        self.ending.wait(0.05)

    def end(self):
        super().end()
        # A thread that waits for the next event would wait until the stream counts as silent.
        with contextlib.suppress(OSError, AttributeError):
            self.socket.shutdown(socket.SHUT_RDWR)

    def read(self, response, until):
        """Reads events until the stream ends, or it is time to go to another node."""
        event = {}
        while not self.ending.is_set():
            line = response.readline()
            if not line:
                return
            name, _, value = line.decode().rstrip("\r\n").partition(":")
            value = value.removeprefix(" ")
            if name:
                event[name] = value
                continue
            # A line without a name is a comment, or the empty line at the end of an event.
            if not line.startswith(b":") and "data" in event:
                self.take(event.get("event"), json.loads(event["data"]), event.get("id"))
                self.mark = event.get("id", self.mark)
                event = {}
                if time.monotonic() > until:
                    return

    def take(self, event, value, mark):
        if event == "reset":
            self.resets.append(f"{self.name} got a reset from node {self.node.number} after {self.mark}")
        self.follow(event, value)

    def follow(self, event, value):
        raise NotImplementedError


class CommitFollower(Follower):
    """Follows the commits: each position follows the one before, and its hash is the one of the journal."""

    def __init__(self, number, nodes, mark, seed):
        super().__init__(f"commits{number}", "/api/commits/stream", nodes, mark, seed)
        self.commits = {}
        self.last = self.position

    def follow(self, event, value):
        if event != "commit":
            return
        if value["position"] != self.last + 1 and not self.resets:
            self.trouble.append(f"{self.name} got {value['position']} after {self.last} from node {self.node.number}")
        self.last = value["position"]
        self.commits[value["position"]] = value["hash"]

    def findings(self, journal):
        """Compares what came with a journal."""
        hashes = {commit.position: commit.hash for commit in journal}
        differing = [position for position, value in self.commits.items() if hashes.get(position) != value]
        yield from self.trouble + self.resets
        if differing:
            yield f"{self.name} got other commits than the journal has at {sorted(differing)[:5]}"
        if self.last != len(journal):
            yield f"{self.name} ended at {self.last}, the journal at {len(journal)}"


class ListFollower(Follower):
    """Follows the items by name and keeps the list by differences alone."""

    def __init__(self, number, nodes, mark, seed):
        super().__init__(f"list{number}", "/api/changes/Item?sort=name&limit=10000&everyCommit=true", nodes, mark, seed)
        # A result without sections has one without a name, and the list is empty at the first mark.
        self.copy = ListCopy()
        self.copy.sections = [["", []]]
        self.copy.position = self.position

    def follow(self, event, value):
        if event == "difference" and value["from"] != self.copy.position:
            self.trouble.append(f"{self.name} got a difference from {value['from']} at {self.copy.position} from node {self.node.number}")
            self.ending.set()
            return
        self.copy.take(event, value)

    def findings(self, journal):
        items = sorted(commit.appended for commit in journal if commit.appended)
        own = sorted(identity for _, ids in self.copy.sections for identity in ids)
        yield from self.trouble + self.resets
        if own != items:
            lacking, beyond = set(items) - set(own), set(own) - set(items)
            yield f"{self.name} has {len(own)} items of {len(items)}; it lacks {sorted(lacking)[:3]}, and has {sorted(beyond)[:3]} beyond"
