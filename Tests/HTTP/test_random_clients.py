"""Clients that send random bytes at random times, cut off where they like: whatever they do, each answer is well formed, the process lives, an
ordinary request is answered afterwards, and no connection is left."""

import os
import random
import re
import select
import socket
import threading
import time

import requests

SEED = int(os.environ.get("DAYBOOK_SEED", random.randrange(1 << 32)))
CLIENTS = int(os.environ.get("DAYBOOK_HTTP_RANDOM_CLIENTS", "400"))

METHODS = ["GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "CONNECT", "TRACE", "BREW", "get", ""]
TARGETS = [
    "/",
    "/api/stats",
    "/api/fetch/Recipe",
    "/api/fetch/Nope",
    "/api/changes/Recipe?count=1",
    "/api/commits",
    "/login",
    "/health/live",
    "*",
    "a",
    "//x/y",
    "/%zz",
    "/%00",
    "http://HOST/api/stats",
    "http://evil.example/",
    "/" + "a" * 9000,
    "/api/fetch/Recipe?where=%22",
    "/page/page.js",
]
VERSIONS = ["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.2", "http/1.1", ""]
FIELDS = [
    "Connection: close",
    "Connection: keep-alive, Close",
    "Connection: upgrade",
    "Upgrade: h2c",
    "Expect: 100-continue",
    "Content-Length: 5",
    "Content-Length: 0",
    "Content-Length: -1",
    "Content-Length: 99999999999999999999",
    "Content-Length: 5, 5",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: identity",
    "Content-Type: application/json",
    "Content-Type: multipart/form-data; boundary=X",
    "Content-Type: application/x-www-form-urlencoded",
    "Authorization: Bearer x",
    "Authorization: Basic YTpi",
    "Authorization: Bearer TOKEN",
    "Origin: null",
    "Origin: http://HOST",
    "If-None-Match: *",
    "Accept-Encoding: gzip",
    "Cookie: daybook-session=x",
    "Last-Event-ID: 1-00000000",
    "Idempotency-Key: x",
    "no colon",
    " folded",
    ": empty",
    "X: " + "y" * 17000,
    "Host: HOST",
    "Host: other",
]
BODIES = [
    b"",
    b"hello",
    b"{}",
    b'{"insert": "Recipe", "values": {"name": "x"}}',
    b"5\r\nhello\r\n0\r\n\r\n",
    b"ZZ\r\n",
    b"2\r\nabcdef\r\n",
    b"token=x",
    b"\x00" * 50,
    b"--X--\r\n",
]


def request(generator, host, token):
    """Returns the bytes of a request, most of them nearly right, and its method."""
    if generator.random() < 0.1:
        return generator.randbytes(generator.randrange(1, 300)), ""
    method = generator.choice(METHODS if generator.random() < 0.3 else ["GET", "GET", "POST", "HEAD"])
    lines = [f"{method} {generator.choice(TARGETS)} {generator.choice(VERSIONS)}"]
    if generator.random() < 0.9:
        lines.append("Host: HOST")
    lines += generator.sample(FIELDS, generator.randrange(0, 5))
    text = "\r\n".join(lines).replace("HOST", host).replace("TOKEN", token)
    data = text.encode() + b"\r\n\r\n" + generator.choice(BODIES)
    if generator.random() < 0.15:
        place = generator.randrange(len(data))
        data = data[:place] + generator.randbytes(generator.randrange(0, 4)) + data[place + generator.randrange(0, 4) :]
    return data, method


def check_answers(data, methods):
    """Checks that bytes are whole answers of HTTP/1.1, of which the last may be cut off; returns a description of the fault, or nothing."""
    methods = list(methods)
    while data:
        head, found, rest = data.partition(b"\r\n\r\n")
        if not found:
            return None
        lines = head.split(b"\r\n")
        status = re.fullmatch(rb"HTTP/1\.1 ([1-5]\d\d) [ -~]*", lines[0])
        if not status:
            return f"a status line {lines[0][:80]!r}"
        fields = {}
        for line in lines[1:]:
            field = re.fullmatch(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([^\r\n\0]*)", line)
            if not field:
                return f"a field {line[:80]!r}"
            fields.setdefault(field[1].lower(), []).append(field[2])
        code = int(status[1])
        if code >= 200 and b"x-content-type-options" not in fields:
            return f"{code} without the strict fields"
        if code >= 400 and fields.get(b"content-type") != [b"application/problem+json"]:
            return f"{code} without a problem document"
        if code == 100:
            data = rest
            continue
        method = methods.pop(0) if methods else ""
        if method == "HEAD" or code in (204, 304):
            data = rest
        elif fields.get(b"transfer-encoding") == [b"chunked"]:
            while True:
                line, found, rest = rest.partition(b"\r\n")
                if not found:
                    return None
                if not re.fullmatch(rb"[0-9a-fA-F]+", line):
                    return f"a chunk of the size {line[:40]!r}"
                size = int(line, 16)
                if len(rest) < size + 2:
                    return None
                if rest[size : size + 2] != b"\r\n":
                    return "a chunk with another size"
                rest = rest[size + 2 :]
                if size == 0:
                    break
            data = rest
        elif b"content-length" in fields:
            if len(fields[b"content-length"]) != 1:
                return "several lengths"
            data = rest[int(fields[b"content-length"][0]) :]
        else:
            # The end of the connection ends it.
            if b"close" not in [v.lower() for v in fields.get(b"connection", [])]:
                return f"{code} without an end"
            return None
    return None


class Client(threading.Thread):
    def __init__(self, server, seed):
        super().__init__()
        self.server, self.seed, self.fault = server, seed, None

    def run(self):
        generator = random.Random(self.seed)
        host = f"127.0.0.1:{self.server.port}"
        parts = [request(generator, host, "x" * 16) for _ in range(generator.randrange(1, 4))]
        data = b"".join(part for part, _ in parts)
        try:
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as connection:
                got = self.talk(connection, data, generator)
        except OSError:
            return
        # Only of requests that are as they should be is it known which answer belongs to which.
        if len(parts) == 1:
            self.fault = check_answers(got, [method for _, method in parts])

    def talk(self, connection, data, generator):
        got = b""
        while data:
            size = generator.choice([1, 7, 100, 4096, len(data)])
            try:
                connection.sendall(data[:size])
            except OSError:
                break
            data = data[size:]
            if generator.random() < 0.2:
                time.sleep(generator.random() / 20)
            if generator.random() < 0.02:
                if generator.random() < 0.5:
                    # It is reset.
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                return b""
        end = time.monotonic() + generator.random()
        if generator.random() < 0.3:
            connection.shutdown(socket.SHUT_WR)
        while time.monotonic() < end:
            if not select.select([connection], [], [], 0.05)[0]:
                continue
            try:
                piece = connection.recv(1 << 16)
            except OSError:
                break
            if not piece:
                break
            got += piece
        return got


def connections(server):
    """Returns the number of open connections of the server, as the kernel lists them."""
    port = f":{server.port:04X}"
    count = 0
    with open(f"/proc/{server.process.pid}/net/tcp", encoding="ascii") as table:
        for line in table.readlines()[1:]:
            _, local, _, state, *_ = line.split()
            # Established, or closed by the other side and not by the server.
            if local.endswith(port) and state in ("01", "08"):
                count += 1
    return count


def test_random_clients_break_nothing(writer):
    print(f"\nDAYBOOK_SEED={SEED}")
    generator = random.Random(SEED)
    seeds = [generator.randrange(1 << 32) for _ in range(CLIENTS)]
    for first in range(0, CLIENTS, 20):
        clients = [Client(writer, seed) for seed in seeds[first : first + 20]]
        for client in clients:
            client.start()
        for client in clients:
            client.join(60)
            assert not client.is_alive(), f"the client {client.seed} does not end"
            assert client.fault is None, f"the client {client.seed} got {client.fault}"
        assert writer.process.poll() is None, f"the server ended with {writer.process.returncode}"
        assert requests.get(f"{writer.address}/api/fetch/Recipe", timeout=10).status_code == 200
    end = time.monotonic() + 60
    while connections(writer) and time.monotonic() < end:
        time.sleep(0.5)
    assert connections(writer) == 0
    # What a client sends is its own fault. Its answer is not needed if it leaves, which ends the work.
    faults = [line for line in writer.log.split("\n") if " error " in line and "client has left" not in line]
    assert not faults, faults[:20]


def test_a_slow_download_is_sent_to_its_end(writer):
    """An answer takes as long as its client reads: only one that reads nothing is cut off."""
    token = writer.token
    for number in range(4):
        body = {"insert": "Recipe", "values": {"name": f"{number} " + "x" * (2 << 20)}}
        answer = requests.post(f"{writer.address}/api/commits", json=body, headers={"Authorization": f"Bearer {token}"}, timeout=30)
        assert answer.status_code == 201
    with socket.socket() as client:
        # Not smaller than a segment of the loopback interface, which the kernel would drop and send again ever later.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 17)
        client.connect(("127.0.0.1", writer.port))
        client.settimeout(20)
        client.sendall(f"GET /api/fetch/Recipe HTTP/1.1\r\nHost: 127.0.0.1:{writer.port}\r\nConnection: close\r\n\r\n".encode())
        got, begin = b"", time.monotonic()
        # Slowly for longer than any time limit, then the rest.
        while time.monotonic() - begin < 45:
            piece = client.recv(5000)
            assert piece, f"cut off after {time.monotonic() - begin:.1f} s and {len(got)} bytes"
            got += piece
            time.sleep(0.2)
        while piece := client.recv(1 << 20):
            got += piece
    head, body = got.split(b"\r\n\r\n", 1)
    assert int(re.search(rb"[Cc]ontent-[Ll]ength: (\d+)", head)[1]) == len(body)
