"""Watches a stream beside the nodes, so that what servers lose or change is known to be the servers' fault."""

import hashlib
import struct
import threading
import time

from natsclient import Connection, NatsError


class Observer(threading.Thread):
    """Reads each message once as it comes, past the links, and compares with the whole stream at the end."""

    def __init__(self, servers, stream):
        super().__init__(name="observer", daemon=True)
        self.servers, self.stream = servers, stream
        self.ending = threading.Event()
        self.seen = {}
        self.created = None

    def run(self):
        connection = None
        while not self.ending.is_set():
            try:
                connection = connection or Connection(self.servers.ports, 1)
                self.read(connection)
            except NatsError:
                if connection:
                    connection.close()
                connection = None
            self.ending.wait(0.05)
        if connection:
            connection.close()

    def end(self):
        self.ending.set()

    def read(self, connection):
        info = connection.api(f"STREAM.INFO.{self.stream}", seconds=1)
        self.created = self.created or info["created"]
        for sequence in range(max(self.seen, default=0) + 1, info["state"]["last_seq"] + 1):
            if self.ending.is_set():
                return
            message = connection.message(self.stream, sequence)
            if message is not None:
                self.seen[sequence] = digest(*message)

    def findings(self):
        """Returns what the servers lost or changed of the messages that were seen, and whether they did."""
        with Connection(self.servers.ports, 5) as connection:
            info = connection.api(f"STREAM.INFO.{self.stream}", seconds=5)
            if self.created not in (None, info["created"]):
                return ["the stream was created again"]
            messages = {sequence: connection.message(self.stream, sequence) for sequence in range(1, info["state"]["last_seq"] + 1)}
        lost = [sequence for sequence in self.seen if messages.get(sequence) is None]
        changed = [sequence for sequence, seen in self.seen.items() if messages.get(sequence) is not None and digest(*messages[sequence]) != seen]
        found = []
        if lost:
            found.append(f"the stream lost {len(lost)} messages, the first one {min(lost)}")
        if changed:
            found.append(f"the stream has other messages at {len(changed)} sequences, the first one {min(changed)}")
        return found


def digest(head, payload):
    return hashlib.sha256(head + b"\0" + payload).hexdigest()[:16]


def replica(server, stream):
    """Returns sequence to digest as one server has the stream on disk.

    Of a block of nats-server 2.9 (`server/filestore.go`): each record has its length with a bit for headers, sequence, time,
    the lengths of subject and headers, these, the payload, and a checksum of 8 bytes.
    """
    messages = {}
    directory = server.data / "jetstream" / "$G" / "streams" / stream / "msgs"
    for block in sorted(directory.glob("*.blk"), key=lambda path: int(path.stem)):
        data, place = block.read_bytes(), 0
        while place + 22 <= len(data):
            length, sequence, _, subject_size = struct.unpack_from("<IQqH", data, place)
            has_head, length = bool(length & 1 << 31), length & ~(1 << 31)
            if length < 30 or place + length > len(data):
                break
            body = data[place + 22 : place + length - 8]
            subject, body = body[:subject_size], body[subject_size:]
            head = b""
            if has_head:
                head_size = struct.unpack_from("<I", body)[0]
                head, body = body[4 : 4 + head_size], body[4 + head_size :]
            if not sequence & 1 << 63:
                messages[sequence] = digest(head + subject, body)
            place += length
    return messages


def differing_replicas(servers, stream, seconds=5):
    """Returns how the servers' copies of a stream differ on disk, after they had some time to agree."""
    end = time.monotonic() + seconds
    while True:
        copies = {server.name: replica(server, stream) for server in servers.all}
        sequences = sorted(set().union(*copies.values()))
        differing = [sequence for sequence in sequences if len({copy.get(sequence) for copy in copies.values()}) > 1]
        if not differing:
            return []
        if time.monotonic() > end:
            counts = ", ".join(f"{name} has {len(copy)}" for name, copy in copies.items())
            return [f"the replicas differ at {len(differing)} sequences, the first one {differing[0]}: {counts}"]
        time.sleep(0.5)
