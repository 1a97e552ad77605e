"""Runs the scripts of a directory that check Daybook from outside: `reports/*.sh`, `http/*.py` and `browser/*.py`.

A script whose name begins with two digits is a check; the other files are what checks share. Each is run in a directory of its own, with
a time limit, and must end with status 0. Most of them wait for something to happen or not to happen, so several run at a time. A script
that compares durations, or looks for what a busy browser has not drawn yet, may fail beside others: what fails is run once more alone, and
this is printed.
"""

import argparse
import concurrent.futures
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import recipes
from applications import Program
from daybook import Store, WritingServer

LIMIT_IN_SECONDS = 300
WIDTH = 4
COMMITS = 3_000
FOLDERS = ("reports", "http", "browser")


def book(directory):
    """Makes a recipe book with some thousand commits."""
    store = Store.empty(directory)
    names = [f'{{"insert": "Tag", "values": {{"name": "tag {number}"}}}}' for number in range(COMMITS)]
    store.apply(*recipes.lines(), *names)
    return store


# Its client waits 10 s for each answer of 42 MiB: beside others it would wait for ever.
ALONE = {"http/07-sigterm-cuts-answers-under-way"}
# What it reads back over 280,000 commits takes an unoptimised server, or one beside other tests, longer than the time of one step.
OPTIMISED = {"http/36-each-commit-far-behind"}


class Check:
    """A script, and the outcome of its last run."""

    def __init__(self, path, root):
        self.path = path
        self.name = str(path.relative_to(root).with_suffix(""))
        self.folder = path.parent.name
        self.status = None
        self.output = ""
        self.seconds = 0

    @property
    def needs_applications(self):
        return "BASE is an instance of Applications" in self.path.read_text(encoding="utf-8")

    def run(self, arguments=()):
        """Runs the script, and kills it with all that it started at its limit."""
        begin = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="daybook-check-", ignore_cleanup_errors=True) as directory:
            # One check lets another user read its store.
            os.chmod(directory, 0o755)
            command = ["bash" if self.path.suffix == ".sh" else sys.executable, str(self.path), *arguments]
            environment = {**os.environ, "WORKDIR": directory, "TMPDIR": directory}
            environment.pop("PYTHONPATH", None)
            output = os.path.join(directory, "output-of-the-check")
            with open(output, "w+b") as file:
                process = subprocess.Popen(
                    command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, start_new_session=True
                )
                try:
                    self.status = process.wait(LIMIT_IN_SECONDS)
                except subprocess.TimeoutExpired:
                    self.status = "no end"
                finally:
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                file.seek(0)
                self.output = file.read().decode("utf-8", "replace")
        self.seconds = time.monotonic() - begin
        return self

    def __str__(self):
        status = "ok" if self.status == 0 else f"status {self.status}"
        return f"{status:10} {self.seconds:6.1f} s  {self.name}"


def run_browser_checks(checks, report):
    """Runs the checks of the page and of the applications one after the other, each kind on one server."""
    for needs_applications in (False, True):
        chosen = [check for check in checks if check.needs_applications == needs_applications]
        if not chosen:
            continue
        with tempfile.TemporaryDirectory(prefix="daybook-checks-", ignore_cleanup_errors=True) as directory:
            stores = pathlib.Path(directory) / "stores"
            server = Program(stores) if needs_applications else WritingServer(book(stores.parent))
            try:
                for check in chosen:
                    report(check.run([server.address] if needs_applications else [server.address, server.token]))
            finally:
                server.stop()


def main():
    parser = argparse.ArgumentParser(prog="Tools/test-checks", description="Runs the scripts that check Daybook from outside.")
    parser.add_argument("directory")
    parser.add_argument("-k", action="append", metavar="PART", help="a part of the names to run; may be repeated")
    options = parser.parse_args()
    root = pathlib.Path(options.directory).resolve()
    for name in ("DAYBOOK", "DAYBOOK_APPLICATIONS"):
        os.environ[name] = os.path.realpath(os.environ[name])
    checks = [Check(path, root) for folder in FOLDERS for path in sorted((root / folder).glob("[0-9][0-9]-*.*"))]
    for folder in FOLDERS:
        if not any(check.folder == folder for check in checks):
            print(f"left out: {folder}, which has no scripts in {root}")
    if "/debug/" in os.environ["DAYBOOK"] and not options.k:
        for check in [check for check in checks if check.name in OPTIMISED]:
            print(f"left out: {check.name}, which needs an optimised command")
            checks.remove(check)
    chosen = [check for check in checks if not options.k or any(part in check.name for part in options.k)]
    if not chosen:
        sys.exit("test-checks: no script has such a name")

    def report(check):
        print(check, flush=True)

    # The browser's checks are one more beside the others; they need a processor, the others hardly any.
    with concurrent.futures.ThreadPoolExecutor(WIDTH + 1) as pool:
        browser = pool.submit(run_browser_checks, [check for check in chosen if check.folder == "browser"], report)
        runs = [pool.submit(check.run) for check in chosen if check.folder != "browser" and check.name not in ALONE]
        for run in concurrent.futures.as_completed(runs):
            report(run.result())
        browser.result()
    for check in chosen:
        if check.status != 0:
            print(f"alone: {check.name}")
            if check.folder == "browser":
                run_browser_checks([check], report)
            else:
                report(check.run())
    failed = [check for check in chosen if check.status != 0]
    for check in failed:
        print(f"\n--- {check}\n{check.output.rstrip()}")
    print(f"\n{len(chosen) - len(failed)} of {len(chosen)} checks passed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
