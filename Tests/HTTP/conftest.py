"""Servers that the tests share."""

import pytest

from daybook import Server, Store, WritingServer


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
