"""The `daybook` command and its server, as the tests of the page use them."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import uuid

import recipes

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("DAYBOOK", str(ROOT / ".build/debug/daybook"))

# Servers of NATS: then the stores are nodes of streams there, and nothing else changes.
JOURNAL = os.environ.get("DAYBOOK_TEST_JOURNAL")


def new_journal():
    """Returns options with the address of a new stream, or none if journals are not replicated."""
    return ["--journal", f"{JOURNAL}/{uuid.uuid4().hex}"] if JOURNAL else []


def run(*arguments, text=None):
    """Returns what the command prints."""
    result = subprocess.run([BINARY, *map(str, arguments)], input=text, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


class Store:
    """A store in a directory."""

    def __init__(self, path):
        self.path = str(path)

    @classmethod
    def empty(cls, directory, model=recipes.MODEL):
        """Makes a store with a model and no objects."""
        file = directory / "model.json"
        file.write_text(json.dumps(model))
        store = cls(directory / "store.daybook")
        run("init", store.path, "--model", file, *new_journal())
        return store

    @classmethod
    def recipes(cls, directory):
        """Makes the recipe book."""
        store = cls.empty(directory)
        store.apply(*recipes.lines())
        return store

    def apply(self, *lines):
        run("apply", self.path, text="".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))

    def fetch(self, entity, *options):
        return json.loads(run("fetch", self.path, entity, *options, "--json"))

    def objects(self, entity, *options):
        return [row for section in self.fetch(entity, *options)["sections"] for row in section["objects"]]

    def named(self, entity, name):
        return self.objects(entity, "--where", f'name == "{name}"')[0]["id"]

    @property
    def head(self):
        return json.loads(run("stats", self.path, "--json"))["head"]


def suspend(process):
    """Holds a process, and returns when all of its threads stand still: a busy machine lets them run on for a while."""
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)


class Server:
    """`daybook serve` of a store, which can be killed and started again at the same address."""

    errors = subprocess.DEVNULL

    def __init__(self, store, *options):
        self.store = store
        self.options = options
        self.port = 0
        self.process = None
        self.start()

    @property
    def command(self):
        return [BINARY, "serve", self.store.path, "--port", str(self.port), *self.options]

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"listening on (https?://127\.0\.0\.1:(\d+))", line)
        assert found, f"the server said {line!r}"
        self.address, self.port = found[1], int(found[2])

    def kill(self):
        """Ends the server at once, as a crash would."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()


class WritingServer(Server):
    """A server that writes, with a token of its own, which it names in its log."""

    def __init__(self, store, *options):
        self.errors = tempfile.TemporaryFile()
        super().__init__(store, "--write", *options)

    @property
    def log(self):
        """What the server wrote to standard error. Its place in the file is the server's, too, and stays where it is."""
        file = self.errors.fileno()
        return os.pread(file, os.fstat(file).st_size, 0).decode()

    @property
    def token(self):
        path = re.search(r"token for writing is in (\S+)\.\n", self.log)[1]
        return pathlib.Path(path).read_text(encoding="utf-8").split()[0]
