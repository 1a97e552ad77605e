"""Makes the pictures of the documentation: `pictures.py DIRECTORY`."""

import contextlib
import io
import pathlib
import sys
import tempfile
import time

from PIL import Image

from browser import PHONE, Browser, until
from daybook import Server, Store

SIZE = (1120, 640)
# A picture of the page has few colours: a palette makes it a third of the size.
COLOURS = 160


def save(browser, path):
    image = Image.open(io.BytesIO(browser.driver.get_screenshot_as_png())).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1024} KiB")


def settle(browser, shown):
    browser.one(shown)
    until(lambda: browser.run("return document.querySelector('.waiting').hidden"), 20, "nothing is waited for")
    # Names and the bars of time come in answers of their own.
    until(lambda: browser.all(".timeline rect"))
    until(lambda: not any(text.startswith("…") for text in browser.texts("a, .cell")), 5)
    time.sleep(0.3)


def main(directory):
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work, contextlib.ExitStack() as stack:
        book = Server(Store.recipes(pathlib.Path(work)))
        stack.callback(book.stop)
        wide, dark, phone = Browser(SIZE), Browser(SIZE, dark=True), Browser(PHONE, scale=1)
        for browser in (wide, dark, phone):
            stack.callback(browser.close)
        identity = book.store.named("Recipe", "Coq au vin")
        for browser, server, place, shown, name in [
            (wide, book, f"#/list?section=type.name&object={identity}", ".object .history li", "page-list"),
            (dark, book, f"#/list?section=type.name&object={identity}", ".object .history li", "page-list~dark"),
            (wide, book, "#/list?section=type.name&at=48", ".row .link-value", "page-past"),
            (wide, book, "#/journal?commit=60", ".commit .history li", "page-journal"),
            (wide, book, "#/compare?from=40&to=70&section=type.name", ".item.insert", "page-compare"),
            (wide, book, "#/model", ".drawing svg", "page-model"),
            (wide, book, "#/store", ".tile", "page-store"),
            (phone, book, "#/list?section=type.name", ".row", "page-phone"),
        ]:
            browser.open(server, place)
            settle(browser, shown)
            save(browser, directory / f"{name}.png")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
