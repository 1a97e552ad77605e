"""A browser for the tests: Chromium's headless shell, which takes half of the processor time that Chromium takes without a window."""

import contextlib
import time
from urllib.parse import urlsplit

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

DESKTOP = (1280, 800)
PHONE = (390, 780)


class Browser:
    """A page in a window of a size and colour scheme."""

    def __init__(self, size=DESKTOP, dark=False, reduced=True, scale=1):
        options = Options()
        options.binary_location = "/usr/bin/chromium-headless-shell"
        # By a pipe the browser ends with its driver, also when a run is ended by a signal.
        for argument in ["--remote-debugging-pipe", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars" if size == PHONE else "--mute-audio"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        if size == PHONE:
            metrics = {"width": size[0], "height": size[1], "pixelRatio": scale, "touch": True}
            options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(60)
        if size != PHONE:
            self.resize(*size, scale)
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced else "no-preference"},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def resize(self, width, height, scale=1):
        """Gives the window a size, in pixels of a desktop."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    @contextlib.contextmanager
    def sized(self, width, height):
        """Gives the window a size for a while."""
        self.resize(width, height)
        try:
            yield
        finally:
            self.resize(*DESKTOP)

    def open(self, server, place="#/list"):
        """Opens a place anew, so that nothing of an earlier page is left."""
        self.go(f"{server.address}/{place}")

    def go(self, address):
        """Opens an address, and loads its page also if only the fragment differs.

        The page stays in its process: by way of an empty page, a visit takes the processor for twice the time.
        """
        if urlsplit(self.driver.current_url)[:2] == urlsplit(address)[:2]:
            self.run("history.replaceState(null, '', arguments[0])", address)
            self.driver.refresh()
        else:
            self.driver.get(address)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector, seconds=20):
        """Returns the first element of a selector as soon as it is shown."""

        def find():
            return next((node for node in self.all(selector) if node.is_displayed()), None)

        return until(find, seconds, selector)

    def button(self, label):
        return until(lambda: self.driver.find_element(By.XPATH, f'//button[normalize-space(.)="{label}" or @aria-label="{label}"]'), 10, label)

    def press(self, label):
        """Clicks a button; the page may draw it again at that moment, so it is tried more than once."""
        until(lambda: (self.button(label).click(), True)[1], 10, label)

    def click(self, selector):
        """Clicks an element; the page may draw it again at that moment, so it is tried more than once."""
        until(lambda: (self.one(selector).click(), True)[1], 10, selector)

    def text(self, selector):
        return until(lambda: self.one(selector).text, 10, selector)

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].filter((node) => node.offsetParent).map((node) => node.textContent)", selector)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, script, *arguments):
        """Returns what an asynchronous function's body returns."""
        code = (
            "const done = arguments[arguments.length - 1]; (async (...given) => {"
            + script
            + "})(...[...arguments].slice(0, -1)).then((value) => done({value}), (error) => done({error: String(error?.stack ?? error)}))"
        )
        answer = self.driver.execute_async_script(code, *arguments)
        assert "error" not in answer, answer["error"]
        return answer.get("value")

    def keys(self, *keys):
        self.driver.switch_to.active_element.send_keys(*keys)

    def names(self):
        """Returns the names of the rows of the list in view, in their order."""
        return self.run("""
            return [...document.querySelectorAll(".canvas .row:not([hidden]):not(.going)")]
              .sort((a, b) => a.getAttribute("aria-rowindex") - b.getAttribute("aria-rowindex")).map((row) => row.cells[0].textContent)""")

    def complaints(self):
        """Returns what the browser reported as wrong; refused and broken requests are a matter of the tests."""
        entries = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        return [entry for entry in entries if "Failed to load resource" not in entry and "net::" not in entry]

    def close(self):
        self.driver.quit()


def until(condition, seconds=10, what=""):
    """Returns the first true value of a condition; fails with `what`, a text or a function of it, if there is none in time.

    A machine that runs other tests beside this one has three times as long.
    """
    seconds *= 3
    end = time.monotonic() + seconds
    # Each look takes the processors of the browser and of its driver.
    pause = 0.02
    while True:
        with contextlib.suppress(StaleElementReferenceException, NoSuchElementException):
            value = condition()
            if value:
                return value
        assert time.monotonic() < end, f"still not after {seconds} s: {what() if callable(what) else what or condition}"
        time.sleep(pause)
        pause = min(0.25, pause * 1.5)
