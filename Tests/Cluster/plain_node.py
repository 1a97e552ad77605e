#!/usr/bin/env python3
"""A node in plain Python: the part of the `daybook` command that the fault runs use, over the same kind of stream.

It is the plain model of a node. It keeps commits as JSON lines in a file, publishes each with the expected last sequence,
folds the stream in order, and serves the same addresses. The harness is tested with it: a correct one passes, and
`PLAIN_NODE_DEFECT` plants a defect that the harness must find:

    early      acknowledges before the stream has the commit
    blind      publishes without the expected sequence, and takes what comes
    forgetful  does not look for the commit's id, so that a request that is sent twice takes effect twice
    skipping   leaves out a commit of a feed now and then
    behind     answers with a position that is one too low
"""

import argparse
import bisect
import contextlib
import hashlib
import http.server
import json
import os
import pathlib
import signal
import sys
import threading
import time
import uuid

from natsclient import WRONG_LAST_SEQUENCE, Connection, NatsError

DEFECT = os.environ.get("PLAIN_NODE_DEFECT", "")
ZERO = "0" * 64
UNAVAILABLE_AFTER = 5


class Conflict(Exception):
    """The condition of a write does not hold."""


class Unavailable(Exception):
    """The servers could not be reached, and nothing was sent."""


class Journal:
    """The commits on disk, and the state that follows from them."""

    def __init__(self, store):
        self.path = pathlib.Path(store)
        self.lines, self.known, self.items, self.names, self.registers, self.touched = [], {}, [], {}, {}, {}
        file = self.path / "journal"
        text = file.read_bytes() if file.exists() else b""
        whole = text[: text.rfind(b"\n") + 1]
        for line in whole.splitlines():
            self._fold(json.loads(line))
        self.file = open(file, "r+b" if file.exists() else "w+b")
        self.file.truncate(len(whole))
        self.file.seek(0, os.SEEK_END)

    @property
    def head(self):
        return len(self.lines)

    @property
    def hash(self):
        return self.lines[-1]["hash"] if self.lines else ZERO

    def fits(self, line):
        return (
            line["position"] == self.head + 1
            and line["previousHash"] == self.hash
            and line["hash"] == digest(line)
            and (DEFECT == "forgetful" or line["commitID"] is None or line["commitID"] not in self.known)
        )

    def append(self, line):
        self.file.write((json.dumps(line) + "\n").encode())
        self.file.flush()
        os.fdatasync(self.file.fileno())
        self._fold(line)

    def _fold(self, line):
        self.lines.append(line)
        self.known[line["commitID"]] = line["position"]
        for event in line.get("events", []):
            self.touched[event["object"]] = line["position"]
            if event["event"] == "set":
                self.registers[event["object"]] = event["values"]["value"][1]
            elif event["entity"] == "Item" and event["event"] == "inserted":
                self.items.append(event["object"])
                self.names[event["object"]] = event["values"]["name"]
            elif event["entity"] == "Register":
                self.registers[event["object"]] = event["values"]["value"]

    def events(self, operation):
        """Returns the events of an operation; only those that the runs write are known."""
        if "commit" in operation:
            return [event for each in operation["commit"] for event in self.events(each)]
        if "set" in operation:
            old = self.registers[operation["set"]]
            return [{"event": "set", "entity": "Register", "object": operation["set"], "values": {"value": [old, operation["values"]["value"]]}}]
        return [{"event": "inserted", "entity": operation["insert"], "object": operation.get("id") or str(uuid.uuid4()), "values": operation["values"]}]

    def check(self, when):
        if when and self.touched.get(when["untouched"], 0) > when["since"]:
            raise Conflict(f"{when['untouched']} was touched after {when['since']}")


def digest(line):
    return hashlib.sha256(json.dumps({**line, "hash": None}, sort_keys=True).encode()).hexdigest()


class PlainNode:
    """The journal with its stream: one lock for writing and following."""

    def __init__(self, store, url=None):
        self.journal = Journal(store)
        file = self.journal.path / "journal.json"
        if url:
            file.write_text(json.dumps({"url": url}))
        servers, self.stream = json.loads(file.read_text())["url"].removeprefix("nats://").rsplit("/", 1)
        self.ports = [int(server.rsplit(":", 1)[1]) for server in servers.split(",")]
        self.connection, self.folded, self.fork, self.created = None, 0, None, None
        self.lock = threading.RLock()
        self.moved = threading.Condition()

    def connected(self):
        if self.connection is None:
            self.connection = Connection(self.ports, 1)
            self.ports = self.ports[1:] + self.ports[:1]
        return self.connection

    def disconnect(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def catch_up(self):
        """Folds what the stream has beyond the last folded message, and refills a stream that has lost its tail."""
        connection = self.connected()
        info = connection.api(f"STREAM.INFO.{self.stream}")
        last, created = info["state"]["last_seq"], info["created"]
        if self.fork is None and (created != self.created or last < self.folded):
            self.created, self.folded = created, 0
        stream_head = self.journal.head if self.folded else 0
        while self.folded < last:
            message = connection.message(self.stream, self.folded + 1)
            if message is not None and self.fork is None:
                stream_head = self.take(json.loads(message[1]), stream_head)
            self.folded += 1
        for line in self.journal.lines[stream_head:] if self.fork is None else []:
            self.folded = self.publish(line)

    def give_up(self, file):
        """Puts the commits from the fork on into a file, and keeps the ones before it."""
        lines = self.journal.lines
        file.write_text("".join(f"{json.dumps(line)}\n" for line in lines[self.fork - 1 :]))
        (self.journal.path / "journal").write_text("".join(f"{json.dumps(line)}\n" for line in lines[: self.fork - 1]))
        self.journal, self.fork, self.folded = Journal(self.journal.path), None, 0

    def take(self, line, stream_head):
        if line["position"] <= self.journal.head and line["position"] == stream_head + 1:
            own = self.journal.lines[line["position"] - 1]
            if own["hash"] == line["hash"]:
                return stream_head + 1
            if line["previousHash"] == own["previousHash"]:
                self.fork = line["position"]
            return stream_head
        if self.journal.fits(line):
            self.journal.append(line)
            with self.moved:
                self.moved.notify_all()
            return stream_head + 1
        return stream_head

    def publish(self, line):
        headers = {} if DEFECT == "blind" else {"Nats-Expected-Last-Sequence": self.folded}
        return self.connected().publish(f"{self.stream}.journal", json.dumps(line).encode(), headers)["seq"]

    def publish_own(self, line):
        try:
            return self.publish(line)
        except NatsError as error:
            self.is_in_doubt = self.is_in_doubt or error.code not in WRONG_LAST_SEQUENCE
            raise

    def write(self, operation, commit):
        """Returns the position of the commit; `NatsError` means that the outcome is not known."""
        end = time.monotonic() + UNAVAILABLE_AFTER
        self.is_in_doubt = False
        with self.lock:
            while True:
                try:
                    self.catch_up()
                    if self.fork is not None:
                        raise Conflict(f"the node is forked at {self.fork}")
                    if commit is not None and commit in self.journal.known and DEFECT != "forgetful":
                        return self.journal.known[commit]
                    self.journal.check(operation.get("when"))
                    line = self.line(self.journal.events(operation), commit)
                    if DEFECT != "early":
                        self.folded = self.publish_own(line)
                        self.journal.append(line)
                    else:
                        self.journal.append(line)
                        with contextlib.suppress(NatsError):
                            self.folded = self.publish(line)
                    with self.moved:
                        self.moved.notify_all()
                    return line["position"] - (DEFECT == "behind")
                except NatsError as error:
                    if error.code not in WRONG_LAST_SEQUENCE:
                        self.disconnect()
                        if time.monotonic() > end:
                            raise error if self.is_in_doubt else Unavailable(str(error)) from error
                        time.sleep(0.1)

    def line(self, events, commit, **more):
        line = {"position": self.journal.head + 1, "commitID": commit, "previousHash": self.journal.hash, "hash": None, "events": events, **more}
        line["hash"] = digest(line)
        return line

    def follow(self, seconds=None):
        end = time.monotonic() + (seconds or float("inf"))
        while time.monotonic() < end:
            with self.lock:
                try:
                    self.catch_up()
                except NatsError:
                    self.disconnect()
                if seconds and self.connection:
                    return
            time.sleep(0.05)


class Handler(http.server.BaseHTTPRequestHandler):
    """The addresses of `daybook serve` that the runs use."""

    protocol_version = "HTTP/1.1"
    node = None

    def log_message(self, *_):
        pass

    def answer(self, status, value, **headers):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, field in headers.items():
            self.send_header(name, field)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        operation = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            position = self.node.write(operation, self.headers["Idempotency-Key"])
            self.answer(201, {"position": position, "ids": {}})
        except Conflict as error:
            self.answer(409, {"title": "Conflict", "detail": str(error)})
        except Unavailable as error:
            self.answer(503, {"title": "Service Unavailable", "detail": f"{error}. Nothing was written."}, **{"Retry-After": "1"})
        except NatsError as error:
            self.answer(503, {"title": "Service Unavailable", "detail": f"The outcome is not known: {error}"}, **{"Retry-After": "1"})

    def do_GET(self):
        journal = self.node.journal
        path = self.path.split("?")[0]
        if path == "/api/stats":
            self.answer(200, {"head": journal.head, "hash": journal.hash})
        elif path == "/api/activity":
            self.answer(200, [])
        elif path.startswith("/api/objects/"):
            with self.node.lock:
                identity, mark = path.rsplit("/", 1)[1], f'"{journal.head}-{journal.hash[:8]}"'
                items, value = list(journal.items), journal.registers.get(identity)
            self.answer(200, {"id": identity, "values": {"value": value}, "links": {"items": items}}, ETag=mark)
        elif path == "/api/commits/stream":
            self.stream(lambda line, *_: ("commit", line))
        else:
            self.stream(self.difference)

    def stream(self, event_of):
        journal = self.node.journal
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        start = self.headers["Last-Event-ID"]
        position = int(start.split("-")[0]) if start else 0
        # A node that is behind has nothing to send yet; what it has must be the history that the client has.
        while journal.head < position:
            with self.node.moved:
                self.node.moved.wait(1)
        if start and position and journal.lines[position - 1]["hash"][:8] != start.split("-")[1]:
            self.send_event("reset", {}, None)
            position = 0
        names = sorted(event["values"]["name"] for line in journal.lines[:position] for event in line["events"] if event["entity"] == "Item")
        stated = position
        while True:
            while position < journal.head:
                line = journal.lines[position]
                position += 1
                if DEFECT == "skipping" and position % 20 == 19:
                    continue
                if event := event_of(line, names, stated):
                    self.send_event(*event, f"{position}-{line['hash'][:8]}")
                    stated = position
            with self.node.moved:
                self.node.moved.wait(1)

    def difference(self, line, names, stated):
        rows, objects = [], {}
        for event in line["events"]:
            if event["entity"] == "Item" and event["event"] == "inserted":
                place = bisect.bisect(names, event["values"]["name"])
                names.insert(place, event["values"]["name"])
                rows.append({"change": "insert", "id": event["object"], "to": [0, place]})
                objects[event["object"]] = {"id": event["object"], "values": event["values"]}
        value = {"from": stated, "to": line["position"], "sections": [], "rows": rows, "objects": objects, "total": len(names)}
        return ("difference", value) if rows else None

    def send_event(self, kind, value, mark):
        text = f"event: {kind}\n" + (f"id: {mark}\n" if mark else "") + f"data: {json.dumps(value)}\n\n"
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


def create(arguments):
    pathlib.Path(arguments.store).mkdir(mode=0o700)
    node = PlainNode(arguments.store, arguments.journal)
    if arguments.command == "init":
        configuration = {"name": node.stream, "subjects": [f"{node.stream}.>"], "num_replicas": arguments.replicas, "storage": "file"}
        node.connected().api(f"STREAM.CREATE.{node.stream}", configuration, seconds=10)
        model = json.loads(pathlib.Path(arguments.model).read_text())
        node.journal.append(node.line([], None, model=model, store=str(uuid.uuid4())))
    node.follow(20)
    if node.fork is not None:
        sys.exit("The stream has another beginning.")
    print(node.journal.head)


def serve(arguments):
    Handler.node = PlainNode(arguments.store)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    threading.Thread(target=Handler.node.follow, daemon=True).start()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", arguments.port), Handler)
    server.daemon_threads = True
    if arguments.token_file is None:
        tokens = Handler.node.journal.path / "tokens"
        tokens.write_text("token-of-a-plain-node write owner\n")
        print(f"The token for writing is in {tokens}.", file=sys.stderr, flush=True)
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()


def verify(arguments):
    journal = Journal(arguments.store)
    faults = [{"where": f"commit {line['position']}", "what": "another hash"} for line in journal.lines if line["hash"] != digest(line)]
    print(json.dumps({"ok": not faults, "faults": faults}))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["init", "join", "serve", "log", "verify", "replication", "activity", "projection"])
    parser.add_argument("store")
    parser.add_argument("name", nargs="?")
    parser.add_argument("--model")
    parser.add_argument("--journal")
    parser.add_argument("--replicas", type=int, default=1)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--token-file")
    parser.add_argument("--resolve", choices=["keep-stream"])
    parser.add_argument("--save")
    for flag in ("--write", "--jsonl", "--json"):
        parser.add_argument(flag, action="store_true")
    arguments = parser.parse_args()
    if arguments.command in ("init", "join"):
        create(arguments)
    elif arguments.command == "serve":
        serve(arguments)
    elif arguments.command == "verify":
        verify(arguments)
    elif arguments.command == "activity":
        print(json.dumps([]))
    elif arguments.command == "projection":
        journal = Journal(arguments.store)
        print(json.dumps({"projection": {"checkpoint": journal.head, "digest": journal.hash}}))
    elif arguments.command == "log":
        for line in Journal(arguments.store).lines:
            print(json.dumps(line))
    else:
        node = PlainNode(arguments.store)
        node.follow(20)
        if arguments.resolve:
            node.give_up(pathlib.Path(arguments.save))
        print(json.dumps({"head": node.journal.head, "fork": node.fork}))


if __name__ == "__main__":
    sys.exit(main())
