"""The program and the windows of a test; browser and stores are the ones of the tests of the page."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Page"))

from applications import Program, Window
from line import Line


@pytest.fixture
def program(tmp_path):
    """The program on a directory of its own."""
    program = Program(tmp_path / "stores")
    yield program
    program.stop()


@pytest.fixture(scope="session")
def _windows():
    """Two browsers for the whole run: a window of a test is one of them."""
    windows = [Window(None, "first"), Window(None, "first")]
    yield windows
    for window in windows:
        window.close()


def _given(window, program):
    window.complaints()
    window.program = program
    return window


def _left(window):
    complaints = window.complaints()
    if window.run("return location.protocol === 'http:'"):
        # Another program may get the same port.
        window.run("sessionStorage.clear(); localStorage.clear()")
    window.driver.get("about:blank")
    assert not complaints


@pytest.fixture
def window(_windows, program):
    """A window; the test fails if the browser complains about a script, a style or the policy."""
    yield _given(_windows[0], program)
    _left(_windows[0])


@pytest.fixture
def other(_windows, program):
    """Another window, of another person."""
    yield _given(_windows[1], program)
    _left(_windows[1])


@pytest.fixture
def line(window, program):
    """The line between the first window and the program, which a test makes slow or cuts."""
    line = Line(program.address)
    window.program = line
    yield line
    line.close()
