"""The program itself: its arguments."""

import os
import subprocess

from applications import BINARY


def test_a_directory_whose_path_is_not_utf_8_is_refused(tmp_path):
    ended = subprocess.run([BINARY, os.fsencode(tmp_path) + b"/stores\xe9", "--port", "0"], capture_output=True, timeout=60, check=False)
    assert ended.returncode == 64 and b"stores\\xe9" in ended.stderr, ended
    assert not list(tmp_path.iterdir())
