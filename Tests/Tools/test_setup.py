"""`Tools/setup` asks at a terminal before it installs with sudo."""

import os
import pty
import subprocess
import tempfile
import unittest

from limited import LimitedTestCase

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))


class QuestionTests(LimitedTestCase):
    """The functions that setup installs with, between programs that write down how they were called."""

    def setUp(self):
        super().setUp()
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = directory.name

    def program(self, name, script):
        path = os.path.join(self.root, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(path, 0o755)

    def install(self, answer=None, user=1000):
        """Installs a package as a user who answers at a terminal, or has none; returns the status, what was said and what was run."""
        calls = os.path.join(self.root, "calls")
        with open(calls, "w", encoding="utf-8"):
            pass
        self.program("id", f"echo {user}")
        self.program("sudo", f'echo sudo >>{calls}; exec "$@"')
        self.program("apt-get", f'echo "$1" >>{calls}')
        terminal, end = pty.openpty()
        try:
            if answer is not None:
                os.write(terminal, answer.encode() + b"\n")
            result = subprocess.run(
                ["bash", "-c", "source Tools/packages; install_with_apt a-package another"],
                cwd=ROOT,
                env={**os.environ, "PATH": f"{self.root}:{os.environ['PATH']}"},
                stdin=subprocess.DEVNULL if answer is None else end,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
        finally:
            os.close(terminal)
            os.close(end)
        with open(calls, encoding="utf-8") as file:
            return result.returncode, result.stderr, file.read().split()

    def test_yes_installs(self):
        for answer in ("y", "Y", "yes"):
            status, said, calls = self.install(answer)
            self.assertEqual((status, calls), (0, ["sudo", "install"]), said)
            self.assertIn("install a-package another with sudo? [y/N]", said)

    def test_any_other_answer_installs_nothing(self):
        for answer in ("", "n", "no", "later"):
            status, said, calls = self.install(answer)
            self.assertEqual((status, calls), (1, []), said)
            self.assertIn("setup: left out: a-package another", said)

    def test_without_a_terminal_nobody_is_asked(self):
        self.assertEqual(self.install(), (0, "", ["sudo", "install"]))

    def test_root_is_not_asked(self):
        self.assertEqual(self.install("n", user=0), (0, "", ["install"]))

    def test_an_unknown_option_is_refused(self):
        result = subprocess.run([os.path.join(ROOT, "Tools/setup"), "--everything"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((result.returncode, result.stdout), (64, ""), result)
        self.assertIn("--everything is no option", result.stderr)


if __name__ == "__main__":
    unittest.main()
