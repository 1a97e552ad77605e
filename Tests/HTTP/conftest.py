"""Servers that the tests share."""
import re
import tempfile

import pytest

from daybook import Server, Store


class WritingServer(Server):
    """A server that writes; it names the file with its token on standard error."""

    def __init__(self, store, *options):
        self.errors = tempfile.TemporaryFile("w+")
        super().__init__(store, "--write", *options)

    @property
    def log(self):
        self.errors.seek(0)
        return self.errors.read()

    @property
    def token(self):
        path = re.search(r"token for writing is in (\S+)\.\n", self.log)[1]
        with open(path, encoding="utf-8") as file:
            return file.read().split()[0]


@pytest.fixture
def reader(tmp_path):
    server = Server(Store.recipes(tmp_path))
    yield server
    server.stop()


@pytest.fixture
def writer(tmp_path):
    server = WritingServer(Store.recipes(tmp_path))
    yield server
    server.stop()
