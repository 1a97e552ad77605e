"""A page that follows a list on one node goes on at another one when its node is killed."""

import http.server
import itertools
import re
import threading
import uuid

import pytest

from browser import Browser, until
from nodes import LIST, SETUP, wait_for
from ports import free_port

# A page of an application of its own: it takes the module from the first node, and names another node when that one is lost.
PAGE = """<!doctype html><html lang="en"><title>To do</title><body><script type="module">
  import {{ follow, server }} from "{address}/page/daybook.js";
  const others = {others};
  window.record = {{ states: 0, differences: [], lost: 0, ids: [], cursors: [] }};
  const fetchOnce = window.fetch;
  window.fetch = async (url, options) => {{
    const response = await fetchOnce(url, options);
    if (!String(url).includes("/api/changes")) return response;
    record.cursors.push(new Headers(options.headers).get("Last-Event-ID"));
    const [own, copy] = response.body.tee();
    note(copy.pipeThrough(new TextDecoderStream()).getReader());
    return new Response(own, {{ status: response.status, headers: response.headers }});
  }};
  async function note(reader) {{
    let text = "";
    try {{
      for (;;) {{
        const {{ value, done }} = await reader.read();
        if (done) return;
        const lines = (text + value).split("\\n");
        text = lines.pop();
        for (const line of lines) if (line.startsWith("id:")) record.ids.push(parseInt(line.slice(3)));
      }}
    }} catch {{ /* The stream broke, as it should. */ }}
  }}
  follow({{ entity: "Item", sort: ["name"], limit: 10000 }}, {{
    state(list) {{ record.states += 1; record.list = list; }},
    difference(list, difference) {{ record.list = list; record.differences.push([difference.from, difference.to]); }},
    connection(step) {{
      record.connection = step.state;
      if (step.state !== "lost") return;
      record.lost += 1;
      server.base = others.shift() ?? server.base;
    }},
  }});
</script></body></html>"""


class PageServer:
    """Serves one page at an origin of its own."""

    def __init__(self):
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        page = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                body = page.text.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.text = ""
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def application():
    server = PageServer()
    yield server
    server.close()


@pytest.fixture
def browser():
    browser = Browser()
    yield browser
    browser.close()


def add(node, name):
    """Adds an item and returns the position of its commit."""
    line = {"insert": "Item", "values": {"name": name, "done": False}, "relate": {"list": LIST}}
    status, _, answer = node.commit(line, str(uuid.uuid4()), seconds=20)
    assert status == 201, answer
    return answer["position"]


def names(browser):
    return browser.run("return record.list ? record.list.sections.flatMap(({ rows }) => rows.map((row) => row.values.name)) : null")


def test_a_feed_goes_on_at_another_node_after_its_own_is_killed(cluster, application, browser, seed):
    first, second, third = cluster.make_nodes(f"PAGE{seed}", tokens=False, options=["--origin", application.address])
    status, _, answer = first.commit(SETUP, str(uuid.uuid4()), seconds=20)
    assert status == 201, answer
    application.text = PAGE.format(address=first.address, others=[second.address])
    browser.driver.get(application.address)
    until(lambda: names(browser) == [], 20, "the list is there, and empty")
    expected = []

    def write(nodes, numbers):
        for number in numbers:
            expected.append(f"item {number:02}")
            add(nodes[number % len(nodes)], expected[-1])

    write([first, second, third], range(10))
    until(lambda: names(browser) == expected, 20, "the items of all nodes")
    first.kill()
    write([second, third], range(10, 16))
    until(lambda: browser.run("return record.connection") == "live" and browser.run("return record.lost") >= 1, 20, "the page found the second node")
    write([second, third], range(16, 22))
    until(lambda: names(browser) == expected, 20, "the items that came after the first node was killed")

    record = browser.run("return { ...record, list: null }")
    assert record["states"] == 1, "the list was read again: the feed was reset"
    chain = record["differences"]
    assert all(before[1] == after[0] for before, after in itertools.pairwise(chain)), f"a gap or a repeat: {chain}"
    assert record["ids"] == sorted(set(record["ids"])), f"an event came twice: {record['ids']}"
    assert re.fullmatch(r"\d+-[0-9a-f]{8}", record["cursors"][-1]) and len(record["cursors"]) >= 2
    wait_for(lambda: second.mark() == third.mark(), 20, "both nodes have the same head")
    assert chain[-1][1] == int(second.mark().split("-")[0])
