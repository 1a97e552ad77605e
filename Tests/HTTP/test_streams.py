"""Event streams as other clients read them."""

import json
import os
import random
import socket
import subprocess
import threading
import time
import urllib.parse

import pytest
import requests
import sseclient

from listcopy import ListCopy

SEED = int(os.environ.get("DAYBOOK_SEED", random.randrange(1 << 32)))


def write(store, generator):
    objects = store.objects("Recipe")
    chosen = generator.choice(objects)["id"]
    kind = generator.random()
    if kind < 0.4 or len(objects) < 5:
        store.apply({"insert": "Recipe", "values": {"name": f"New {generator.random()}", "servings": generator.randint(1, 9)}})
    elif kind < 0.55:
        store.apply({"delete": chosen})
    elif kind < 0.8:
        store.apply({"set": chosen, "values": {"servings": generator.randint(1, 9)}})
    else:
        store.apply({"relate": chosen, "relationship": "type", "to": generator.choice(store.objects("RecipeType"))["id"]})


@pytest.mark.parametrize(
    "options",
    [
        {"sort": "servings", "section": "type.name"},
        {"sort": "servings:desc:nils-first", "section": "type.name:nils-last", "section-order": "Soup,Dessert", "show": "type.name,servings"},
        {"sort": "type.name:nils-last", "section": "name.initial:other-last", "show": "name,tags.name"},
        {"group": "type.name", "show": "count,sum:servings,max:name", "having": "count > 1", "sort": "sum:servings:desc"},
        {"group": "type.name", "section": "type.name:desc", "where": "servings > 2"},
    ],
)
def test_a_list_is_kept_over_dropped_connections(reader, options):
    print(f"\nDAYBOOK_SEED={SEED}")
    generator = random.Random(SEED)
    copy, cursor = ListCopy(), None
    stop = threading.Event()

    def work():
        own = random.Random(SEED + 1)
        while not stop.is_set():
            write(reader.store, own)

    thread = threading.Thread(target=work)
    thread.start()
    query = urllib.parse.urlencode({"sectionOrder" if name == "section-order" else name: value for name, value in options.items()})
    address = f"{reader.address}/api/changes/Recipe?{query}"
    try:
        for _ in range(20):
            headers = {"Last-Event-ID": cursor} if cursor else {}
            with requests.get(address, headers=headers, stream=True, timeout=30) as answer:
                assert answer.headers["Content-Type"] == "text/event-stream"
                count = generator.randint(1, 6)
                for event in sseclient.SSEClient(answer).events():
                    copy.take(event.event, json.loads(event.data))
                    cursor = event.id or cursor
                    count -= 1
                    if count == 0:
                        break
    finally:
        stop.set()
        thread.join()
    head = reader.store.head
    with requests.get(address, headers={"Last-Event-ID": cursor}, stream=True, timeout=30) as answer:
        if copy.position < head:
            for event in sseclient.SSEClient(answer).events():
                copy.take(event.event, json.loads(event.data))
                if copy.position >= head:
                    break
    fetched = reader.store.fetch("Recipe", *(word for name, value in options.items() for word in (f"--{name}", value)))
    sections, values = ListCopy.contents(fetched)
    assert copy.sections == sections
    # Of objects, values that are not shown may be older in the copy.
    assert "group" not in options or copy.values == values
    assert copy.resets == 0


def test_curl_prints_a_stream(reader):
    command = ["curl", "-sN", f"{reader.address}/api/commits/stream?from=0&count=2"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    blocks = [block for block in result.stdout.split("\n\n") if block]
    assert [block.split("\n")[0] for block in blocks] == ["event: commit", "event: commit"]
    assert all(line.split(": ")[0] in ("event", "data", "id") for block in blocks for line in block.split("\n"))


@pytest.mark.parametrize("field", ["Content-Length: 5", "Transfer-Encoding: chunked"])
def test_a_stream_is_refused_to_a_request_with_a_body(reader, field):
    """The body never comes: a stream that ended before it would end the process."""
    with socket.create_connection(("127.0.0.1", reader.port), timeout=20) as connection:
        lines = ["GET /api/changes/Recipe?count=1 HTTP/1.1", f"Host: 127.0.0.1:{reader.port}", field, "", ""]
        connection.sendall("\r\n".join(lines).encode())
        assert connection.recv(4096).startswith(b"HTTP/1.1 400 ")
    assert requests.get(f"{reader.address}/api/fetch/Recipe", timeout=10).status_code == 200
    assert reader.process.poll() is None


def test_a_position_is_stated_when_nothing_else_happens(reader):
    with requests.get(f"{reader.address}/api/changes/Recipe?where=servings%20%3E%20100", stream=True, timeout=30) as answer:
        events = sseclient.SSEClient(answer).events()
        assert next(events).event == "state"
        reader.store.apply({"insert": "RecipeType", "values": {"name": f"Type {time.time()}"}})
        event = next(events)
        assert event.event == "position" and json.loads(event.data)["position"] == reader.store.head and event.id
