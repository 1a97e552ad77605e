"""Connections that come, go, hang and break: the server keeps nothing of them, and ends when it is told to."""

import json
import os
import random
import signal
import socket
import subprocess
import threading
import time

import requests

from daybook import Server, Store, run

CONNECTIONS = int(os.environ.get("DAYBOOK_HTTP_CONNECTIONS", "1000"))
# Requests that are answered with 503, each with a line in the log.
REFUSED = 2_000
SEED = int(os.environ.get("DAYBOOK_SEED", random.randrange(1 << 32)))


def connect(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=20)


def request(path, server):
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()


def figures(server):
    """Returns descriptors, threads, and streams of the server."""
    process = server.process.pid
    metrics = requests.get(f"{server.address}/metrics", timeout=10).text
    streams = next(line for line in metrics.split("\n") if line.startswith("daybook_streams ")).split()[1]
    return len(os.listdir(f"/proc/{process}/fd")), len(os.listdir(f"/proc/{process}/task")), float(streams)


def readers(server):
    return requests.get(f"{server.address}/api/stats", timeout=30).json()["readers"]


def test_clients_that_leave_leave_nothing(reader):
    print(f"\nDAYBOOK_SEED={SEED}")
    generator = random.Random(SEED)
    paths = ["/api/changes/Recipe?sort=name", "/api/commits/stream?from=0", "/api/fetch/Recipe", "/api/stats", "/nothing"]
    for path in paths:
        requests.get(f"{reader.address}{path}", timeout=10, stream=True).close()
    time.sleep(1)
    before, open_readers = figures(reader), readers(reader)
    for _ in range(CONNECTIONS):
        with connect(reader) as client:
            sent = request(generator.choice(paths), reader)
            if generator.random() < 0.3:
                client.sendall(sent[:20])
                continue
            client.sendall(sent)
            if generator.random() < 0.5:
                client.recv(1000)
    end = time.monotonic() + 45
    while time.monotonic() < end:
        after = figures(reader)
        if after[0] <= before[0] + 2 and after[2] == 0:
            break
        time.sleep(0.5)
    assert after[0] <= before[0] + 2 and after[2] == 0, f"{before} before, {after} after"
    assert after[1] <= before[1] + 8
    assert readers(reader) <= open_readers


def test_the_server_ends_under_load(writer):
    token = writer.token
    ended = threading.Event()

    def load():
        number = 0
        while not ended.is_set():
            number += 1
            body = {"insert": "Recipe", "values": {"name": f"Load {threading.get_ident()} {number}"}}
            try:
                requests.post(f"{writer.address}/api/commits", json=body, headers={"Authorization": f"Bearer {token}"}, timeout=10)
                requests.get(f"{writer.address}/api/fetch/Recipe", timeout=10)
            except requests.RequestException:
                return

    streams = []
    for _ in range(20):
        client = connect(writer)
        client.sendall(request("/api/changes/Recipe?sort=name", writer))
        streams.append(client)
    threads = [threading.Thread(target=load) for _ in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(2)
    writer.process.send_signal(signal.SIGTERM)
    code = writer.process.wait(60)
    ended.set()
    for thread in threads:
        thread.join()
    for client in streams:
        client.close()
    assert code == 0
    # What was answered is there, and the store is whole.
    assert run("verify", writer.store.path).startswith("ok")


class UnreadServer(Server):
    """A server whose log goes into a pipe that is never read."""

    errors = subprocess.PIPE


def test_a_log_that_is_not_read_holds_nothing(tmp_path):
    server = UnreadServer(Store.recipes(tmp_path), "--streams", "1")
    try:
        with connect(server) as stream, requests.Session() as session:
            stream.sendall(request("/api/changes/Recipe", server))
            assert stream.recv(100).startswith(b"HTTP/1.1 200")
            for _ in range(REFUSED):
                refused = session.get(f"{server.address}/api/commits/stream", timeout=10)
                assert refused.status_code == 503 and refused.headers["Retry-After"]
            assert session.get(f"{server.address}/api/stats", timeout=10).status_code == 200
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(10) == 0
        # The pipe was full: how many bytes that are depends on how many lines share a page.
        assert 0 < server.process.stderr.read().count("request failed") < REFUSED
    finally:
        server.stop()


def test_a_client_that_never_reads_costs_little(writer):
    token = writer.token
    with connect(writer) as client:
        client.sendall(request("/api/changes/Recipe?sort=name&limit=1000", writer))
        before = memory(writer)
        for number in range(200):
            lines = [{"insert": "Recipe", "values": {"name": f"{number} {row} " + "x" * 200}} for row in range(20)]
            requests.post(f"{writer.address}/api/commits", json={"commit": lines}, headers={"Authorization": f"Bearer {token}"}, timeout=20)
        grown = memory(writer) - before
        # 4,000 rows of 400 bytes, as text in differences, would be far more if each were kept for the client.
        assert grown < 64 << 20, f"{grown >> 20} MiB"
        assert json.loads(requests.get(f"{writer.address}/health/ready", timeout=10).text)["status"] == "ready"


def memory(server):
    """Returns the bytes of memory that belong to the process alone."""
    with open(f"/proc/{server.process.pid}/smaps_rollup", encoding="utf-8") as file:
        fields = dict(line.split(":", 1) for line in file if ":" in line)
    return (int(fields["Private_Dirty"].split()[0])) << 10
