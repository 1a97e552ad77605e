"""`Tools/demo` ends with its last line, on this project's own history and on one that fills each pipe."""

import os
import subprocess
import tempfile
import unittest

from limited import LimitedTestCase

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
RUNS = int(os.environ.get("DAYBOOK_DEMO_RUNS") or "1")

# Lines of the files that were renamed are some 50 bytes long, and a pipe holds 64 KiB.
FILES = 3_000


def many_renames(directory):
    """Makes a repository in which each of many files was renamed twice and then changed."""
    stream, mark = [], FILES
    for number in range(FILES):
        text = f"file {number}\n"
        stream.append(f"blob\nmark :{number + 1}\ndata {len(text)}\n{text}\n")

    def commit(number, lines):
        nonlocal mark
        mark += 1
        message = f"Commit {number}"
        parent = f"from :{mark - 1}\n" if number > 1 else ""
        stream.append(
            f"commit refs/heads/main\nmark :{mark}\ncommitter Test <test@example.com> {1_700_000_000 + number} +0000\n"
            f"data {len(message)}\n{message}\n{parent}{''.join(lines)}\n"
        )

    commit(1, [f"M 100644 :{number + 1} first/file {number}.txt\n" for number in range(FILES)])
    commit(2, [f'R "first/file {number}.txt" "second/file {number}.txt"\n' for number in range(FILES)])
    commit(3, [f'R "second/file {number}.txt" "second/new {number}.txt"\n' for number in range(FILES)])
    commit(4, [f'M 100644 :{number + 2} "second/new {number}.txt"\n' for number in range(FILES - 1)])
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", directory], timeout=60, check=True)
    subprocess.run(["git", "-C", directory, "fast-import", "--quiet"], input="".join(stream).encode(), timeout=300, check=True)


class DemoTests(LimitedTestCase):
    LIMIT_IN_SECONDS = 1_200 * RUNS

    def run_demo(self, *arguments):
        with tempfile.TemporaryDirectory() as directory:
            # A run takes seconds; one that waits for something is ended, and fails.
            result = subprocess.run(
                [os.path.join(ROOT, "Tools/demo"), *arguments],
                env={**os.environ, "TMPDIR": directory},
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            self.assertEqual(result.returncode, 0, f"{result.stdout[-2_000:]}\n{result.stderr}")
            self.assertRegex(result.stdout, r"The store is in \S+; remove that directory when you are done\.\n$")
            return result.stdout

    def test_it_ends_with_its_last_line_on_this_history(self):
        for _ in range(RUNS):
            self.run_demo()

    def test_it_ends_with_its_last_line_where_each_pipe_is_full(self):
        with tempfile.TemporaryDirectory() as repository:
            many_renames(repository)
            texts = [self.run_demo(repository) for _ in range(RUNS)]
        for text in texts:
            self.check_renames(text)

    def check_renames(self, text):
        renamed = text.split("most often")[1].split("All that happened")[0].strip().splitlines()[1:]
        self.assertEqual([line.split()[0] for line in renamed], ["2"] * 5)
        self.assertIn("more lines", text)

    def test_it_shows_a_recipe_book_without_a_history(self):
        # A clone without commits, of which the demonstration is a part.
        with tempfile.TemporaryDirectory() as directory:
            os.mkdir(os.path.join(directory, "Tools"))
            os.symlink(os.path.join(ROOT, "Tools/demo"), os.path.join(directory, "Tools/demo"))
            with tempfile.TemporaryDirectory() as stores:
                result = subprocess.run(
                    [os.path.join(directory, "Tools/demo")], env={**os.environ, "TMPDIR": stores}, capture_output=True, text=True, timeout=300, check=False
                )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Chocolate cake", result.stdout)

    def test_another_directory_than_a_repository_is_refused(self):
        with tempfile.TemporaryDirectory() as directory:
            result = subprocess.run(
                [os.path.join(ROOT, "Tools/demo"), directory], env={**os.environ, "TMPDIR": directory}, capture_output=True, text=True, timeout=60, check=False
            )
            self.assertEqual((result.returncode, os.listdir(directory)), (74, []), result.stderr)


if __name__ == "__main__":
    unittest.main()
