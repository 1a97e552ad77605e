"""A place to edit at: a store of all types, a server that writes, and a browser."""

import json
import urllib.request
import zoneinfo

import things
from browser import Browser, until
from daybook import Server, Store
from relay import Relay

TOKENS = {"maria": "a-long-token-of-the-writer-maria", "jonas": "a-long-token-of-the-writer-jonas"}


class Bench:
    """A store with things, its server behind a line, and a browser of some look that is signed in."""

    def __init__(self, directory, zone="Europe/Berlin", **look):
        self.line = Relay()
        tokens = directory / "tokens"
        tokens.write_text("".join(f"{token} write {name}\n" for name, token in TOKENS.items()))
        tokens.chmod(0o600)
        store = Store.empty(directory, things.MODEL)
        store.apply(*things.lines(12))
        self.server = Server(store, "--write", "--token-file", str(tokens), "--public-url", f"http://127.0.0.1:{self.line.port}")
        self.line.target = self.server.port
        self.address = self.line.address
        self.browser = Browser(**look)
        self.browser.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})
        self.zone = zoneinfo.ZoneInfo(zone)
        self.things = {row["values"]["name"]: row["id"] for row in store.objects("Thing")}
        self.browser.open(self)
        self.sign_in()

    def sign_in(self):
        self.browser.one(".sign-in input").send_keys(TOKENS["maria"])
        self.browser.press("Sign in")
        until(lambda: self.browser.names() and not self.browser.all(".sign-in[open]"), 20, "signed in")

    def call(self, path, body=None, name="jonas"):
        """Returns the answer to another client's request; numbers are texts, so that no digit is lost here."""
        request = urllib.request.Request(
            f"{self.server.address}{path}",
            json.dumps(body).encode() if body else None,
            {"Authorization": f"Bearer {TOKENS[name]}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read(), parse_float=str, parse_int=str)

    def values(self, name):
        return self.call(f"/api/objects/{self.things[name]}")["values"]

    def show(self, name):
        """Opens a thing, and returns when its values or its form are shown."""
        self.browser.open(self, f"#/list?entity=Thing&object={self.things[name]}")
        until(lambda: self.browser.all("#side .values, #side .edit"), 30, name)

    def edit(self, name):
        self.show(name)
        if not self.browser.all("#side .edit"):
            self.browser.press("Edit")

    def field(self, name):
        return until(lambda: self.browser.run("return document.getElementById(`edit-${arguments[0]}`)", name), 10, name)

    def fill(self, name, text):
        """Puts text into a field as a paste does; Chromium's driver types no signs beyond the first plane."""
        self.browser.run(
            """const field = document.getElementById(`edit-${arguments[0]}`);
            field.value = arguments[1];
            field.dispatchEvent(new Event("input", { bubbles: true }));
            field.dispatchEvent(new Event("change", { bubbles: true }))""",
            name,
            text,
        )

    def text(self, name):
        return self.browser.run("return document.getElementById(`edit-${arguments[0]}`)?.value ?? null", name)

    def save(self):
        self.browser.press("Save")
        until(
            lambda: self.browser.all("#side .values") and not self.browser.all("#side .edit"), 20, lambda: self.browser.texts("#side .wrong, #side .conflict")
        )

    def shown(self, name):
        return until(
            lambda: self.browser.run(
                """const term = [...document.querySelectorAll("#side .term")].find((node) => node.textContent === arguments[0]);
            return term?.nextElementSibling.querySelector(".value").textContent""",
                name,
            ),
            10,
            name,
        )

    def close(self):
        self.browser.close()
        self.server.stop()
        self.line.close()
