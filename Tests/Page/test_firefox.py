"""A plain EventSource in Firefox: its list is that of a fresh fetch, however often the connection is dropped."""

import os
import random
import shutil
import socket
import threading

import pytest
from marionette_driver.marionette import Marionette

from browser import until
from daybook import Server, Store
from relay import Relay
from writer import write

ROUNDS = int(os.environ.get("DAYBOOK_PAGE_ROUNDS", "3"))
SEED = int(os.environ.get("DAYBOOK_SEED", random.randrange(1 << 32)))

SCRIPT = """
    const [address, done] = arguments;
    import("/page/difference.js").then(({ applyDifference }) => {
      window.resets = 0;
      const source = new EventSource(address);
      const shown = (sections) => sections.map(({ name, rows, objects }) => ({ name, rows: rows ?? objects }));
      source.addEventListener("state", (event) => { window.list = shown(JSON.parse(event.data).sections); });
      source.addEventListener("difference", (event) => {
        const difference = JSON.parse(event.data);
        window.list = applyDifference(window.list, difference, (change) => difference.objects[change.id]);
      });
      source.addEventListener("reset", () => window.resets++);
      done(null);
    }, (error) => done(String(error)));"""
QUERY = "limit=10000&sort=servings&sort=name&section=type.name"


@pytest.fixture
def firefox(tmp_path):
    if not shutil.which("firefox-esr"):
        pytest.fail("firefox-esr is not installed; Tools/test-page installs it")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    client = Marionette(bin=shutil.which("firefox-esr"), headless=True, port=port, gecko_log=str(tmp_path / "gecko.log"), prefs={"marionette.port": port})
    client.start_session()
    client.timeout.script = 30
    yield client
    client.cleanup()


def test_a_plain_event_source_is_right_after_each_cut(firefox, tmp_path):
    print(f"\nDAYBOOK_SEED={SEED}")
    generator = random.Random(SEED)
    relay = Relay()
    server = Server(Store.recipes(tmp_path), "--public-url", f"http://127.0.0.1:{relay.port}")
    relay.target = server.port
    try:
        firefox.navigate(f"http://127.0.0.1:{relay.port}/page/difference.js")
        error = firefox.execute_async_script(SCRIPT, [f"/api/changes/Recipe?{QUERY}"], sandbox=None)
        assert error is None, error
        for _ in range(ROUNDS):
            stop = threading.Event()
            writer = threading.Thread(target=write, args=(server.store, random.Random(generator.random()), stop))
            writer.start()
            for _ in range(3):
                stop.wait(generator.uniform(0.1, 0.5))
                relay.drop()
            stop.set()
            writer.join()
            fetched = server.store.fetch("Recipe", "--section", "type.name", "--sort", "servings", "--sort", "name")
            expected = [[section["name"], [[row["id"], row["values"]] for row in section["objects"]]] for section in fetched["sections"]]
            got = "return window.list && window.list.map(({ name, rows }) => [name, rows.map((row) => [row.id, row.values])])"
            until(lambda: firefox.execute_script(got, sandbox=None) == expected, 30, f"the list of {server.store.head}")
        assert firefox.execute_script("return window.resets", sandbox=None) == 0
    finally:
        relay.close()
        server.stop()
