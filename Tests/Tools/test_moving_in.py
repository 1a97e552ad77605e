"""The commands of the article "Moving in", run on the samples of the repository."""

import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

from limited import LimitedTestCase

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
ARTICLE = os.path.join(ROOT, "Sources/Daybook/Daybook.docc/MovingIn.md")
SAMPLES = os.path.join(ROOT, "Examples/MovingIn")
BLOCK = re.compile(r"^```\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def commands():
    """Yields each command of the article with the output that is shown after it."""
    with open(ARTICLE, encoding="utf-8") as file:
        text = file.read()
    for block in BLOCK.findall(text):
        for part in re.split(r"^\$ daybook ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


class MovingInTests(LimitedTestCase):
    def test_each_command_does_what_the_article_shows(self):
        count = 0
        with tempfile.TemporaryDirectory() as directory:
            place = os.path.join(directory, "samples")
            shutil.copytree(SAMPLES, place)
            for command, output in commands():
                result = subprocess.run(["bash", "-c", f'"$DAYBOOK" {command}'], cwd=place, capture_output=True, text=True, timeout=300, check=False)
                self.assertEqual(result.returncode, 0, f"{command}\n{result.stderr}")
                shown = [line.rstrip() for line in result.stdout.rstrip().splitlines()]
                if output:
                    self.assertEqual(shown, [line.rstrip() for line in output.rstrip().splitlines()], command)
                count += 1
        self.assertEqual(count, 10)

    def test_the_samples_are_what_their_script_makes(self):
        with tempfile.TemporaryDirectory() as directory:
            shutil.copy(os.path.join(SAMPLES, "make-samples.py"), directory)
            subprocess.run(["python3", os.path.join(directory, "make-samples.py")], check=True, timeout=300)
            for folder, _, files in os.walk(SAMPLES):
                for name in files:
                    path = os.path.join(folder, name)
                    made = os.path.join(directory, os.path.relpath(path, SAMPLES))
                    with self.subTest(name=name):
                        self.assertTrue(os.path.exists(made), made)
                        self.assertEqual(contents(path), contents(made))


def contents(path):
    """Returns the bytes of a file; of a database, whose pages differ with the version of SQLite, its statements."""
    if not path.endswith(".sqlite"):
        with open(path, "rb") as file:
            return file.read()
    database = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    try:
        return list(database.iterdump())
    finally:
        database.close()


if __name__ == "__main__":
    unittest.main()
