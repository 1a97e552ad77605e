"""Streams, writers, and clients that stop reading, leave and come back, at one server for a time; see Tools/soak."""

import asyncio
import collections
import contextlib
import itertools
import json
import os
import pathlib
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

from daybook import BINARY, Server, Store
from listcopy import ListCopy

SECONDS = float(os.environ.get("DAYBOOK_SOAK_SECONDS", "60"))
STREAMS = int(os.environ.get("DAYBOOK_SOAK_STREAMS", "200"))
WRITERS = 8
SEED = int(os.environ.get("DAYBOOK_SEED") or random.randrange(1 << 32))

# A stream sends at least a comment every 15 s.
SILENCE = 90
# The server cuts off a client that received nothing for this long while bytes wait for it.
STALL = 30
# From the last commit until each stream is at the head, and for connecting.
PATIENCE = 180
SHUTDOWN = 10
# How much the resident memory may grow after the warm-up.
GROWTH, GROWTH_IN_BYTES = 0.10, 20 << 20
# The commits before the time begins. On a busy machine they take longer: until then threads and streams get memory that they keep.
WARM_UP = 100
# Pauses of a writer between two commits, in seconds.
PAUSE = (0.2, 3.0)


class Fault(Exception):
    """Something that must not happen."""


class SoakServer(Server):
    """A server that writes; what it prints on standard error stays in a file."""

    def __init__(self, store, directory):
        self.log = directory / "log"
        self.errors = open(self.log, "w", encoding="utf-8")
        super().__init__(store, "--write")

    @property
    def token(self):
        path = re.search(r"token for writing is in (\S+)\.\n", self.log.read_text(encoding="utf-8"))[1]
        return pathlib.Path(path).read_text(encoding="utf-8").split()[0]

    def memory(self):
        """Returns the resident bytes: all, and without pages of files, which are the system's to keep."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        values = {name: int(size) << 10 for name, size in re.findall(r"^(VmRSS|RssAnon):\s+(\d+) kB", status, re.MULTILINE)}
        return values["VmRSS"], values["RssAnon"]

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def queries():
    """Yields different requests without end: sorted, in sections, filtered, windows, with counts."""
    sorts = ["name", "servings", "servings:desc", "changedAt:desc", "type.name", "ingredientCount:desc"]
    sections = [None, "type.name", "name.initial", "servings"]
    for number in itertools.count():
        query = {"sort": sorts[number % len(sorts)], "limit": 5 + 7 * number % 96}
        section = sections[number // len(sorts) % len(sections)]
        if section:
            query["section"] = section
        if number % 3:
            query["where"] = f"servings >= {number % 11}"
        if number % 4 == 0:
            query["counts"] = "true"
        if number % 5 == 0:
            query["offset"] = number % 13
        yield urllib.parse.urlencode(query)


class Stream:
    """A client of one request: it keeps a list by the events, may pause, leave, and come back with its last id."""

    def __init__(self, soak, number, query):
        self.soak, self.query = soak, query
        self.random = random.Random(SEED * 10_007 + number)
        self.copy = ListCopy()
        self.last_id = None
        self.events = collections.Counter()
        self.connected = asyncio.Event()
        # The longest pause on this connection, in seconds.
        self.pause = 0
        # Three in five read as things come.
        self.kind = ("reads", "pauses", "leaves", "reads", "reads")[number % 5]

    async def run(self):
        while True:
            try:
                await self.connection()
            except (ConnectionError, asyncio.IncompleteReadError) as error:
                if not self.soak.is_stopping and self.pause < STALL:
                    raise Fault(f"{self.query}: the connection ended: {error!r}; its longest pause took {self.pause:.1f} s") from error
                self.events["cut off"] += 1
            if self.soak.is_stopping:
                return
            await asyncio.sleep(self.random.uniform(0, 3))

    async def connection(self):
        """Reads one connection until this client leaves it; the server must not end it before, but after a long pause."""
        self.pause = 0
        end = time.monotonic() + self.random.uniform(2, 40) if self.kind == "leaves" and not self.soak.is_settling else None
        reader, writer = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", self.soak.server.port, limit=1 << 16), PATIENCE)
        try:
            resumes = f"Last-Event-ID: {self.last_id}\r\n" if self.last_id else ""
            writer.write(f"GET /api/changes/Recipe?{self.query} HTTP/1.1\r\nHost: 127.0.0.1:{self.soak.server.port}\r\n{resumes}\r\n".encode())
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
            if b" 200 " not in head.split(b"\r\n")[0]:
                raise Fault(f"{self.query}: {head!r}")
            text = b""
            while True:
                line = await asyncio.wait_for(reader.readuntil(b"\r\n"), SILENCE)
                size = int(line, 16)
                text += (await asyncio.wait_for(reader.readexactly(size + 2), SILENCE))[:-2]
                if size == 0:
                    if self.soak.is_stopping:
                        return
                    raise Fault(f"{self.query}: the server ended the stream")
                *blocks, text = text.split(b"\n\n")
                for block in blocks:
                    self.take(block.decode())
                if end and time.monotonic() > end:
                    return
                if self.kind == "pauses" and not self.soak.is_settling and self.random.random() < 0.02:
                    self.events["pauses"] += 1
                    begin = time.monotonic()
                    await self.soak.settling(self.random.uniform(5, 40))
                    self.pause = max(self.pause, time.monotonic() - begin)
        except TimeoutError as error:
            raise Fault(f"{self.query}: nothing came for {SILENCE} s at position {self.copy.position}") from error
        finally:
            writer.transport.abort()

    def take(self, block):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line and not line.startswith(":"))
        if "event" not in fields:
            return
        kind = fields["event"]
        if kind == "difference":
            value = json.loads(fields["data"])
            if value["from"] != self.copy.position:
                raise Fault(f"{self.query}: a difference from {value['from']} at position {self.copy.position}")
        self.copy.take(kind, json.loads(fields["data"]))
        self.last_id = fields.get("id", self.last_id)
        self.events[kind] += 1
        self.connected.set()


class Soak:
    def __init__(self, directory):
        self.directory = directory
        self.store = Store.recipes(directory)
        self.server = SoakServer(self.store, directory)
        self.is_settling = self.is_stopping = False
        self.settles = asyncio.Event()
        self.commits = collections.Counter()
        self.samples = []

    async def settling(self, seconds):
        """Waits for some seconds, and no longer than until the last commit."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.settles.wait(), seconds)

    def get(self, path):
        with urllib.request.urlopen(f"{self.server.address}{path}", timeout=60) as answer:
            return json.load(answer)

    async def write(self, number, token):
        """One writer: commits over one connection, with pauses, until the soak settles."""
        chance = random.Random(SEED + number)
        types = [row["id"] for row in self.store.objects("RecipeType")]
        mine = []
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        try:
            while not self.is_settling:
                await asyncio.wait_for(self.commit(reader, writer, chance, types, mine, token), PATIENCE)
                await self.settling(chance.uniform(*PAUSE))
        except TimeoutError as error:
            raise Fault(f"a commit had no answer for {PATIENCE} s") from error
        finally:
            writer.transport.abort()

    async def commit(self, reader, writer, chance, types, mine, token):
        kind = chance.random()
        if kind < 0.3 or len(mine) < 5:
            line = {"commit": [{"insert": "Recipe", "as": "$it", "values": {"name": f"Dish {chance.random()}", "servings": chance.randint(1, 12)}}]}
        elif kind < 0.55 or len(mine) > 40:
            line = {"delete": mine.pop(chance.randrange(len(mine)))}
        elif kind < 0.75:
            line = {"set": chance.choice(mine), "values": {"servings": chance.randint(1, 12)}}
        elif kind < 0.9:
            line = {"relate": chance.choice(mine), "relationship": "type", "to": chance.choice(types)}
        else:
            line = {"rename": chance.choice(mine), "to": f"Renamed {chance.random()}"}
        body = json.dumps(line)
        writer.write(
            (
                f"POST /api/commits HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nContent-Type: application/json\r\n"
                f"Authorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
            ).encode()
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        answer = await reader.readexactly(int(re.search(r"content-length: (\d+)", head, re.IGNORECASE)[1]))
        status = int(head.split()[1])
        if status not in (200, 201):
            raise Fault(f"{line}: {status} {answer[:300]!r}")
        self.commits[status] += 1
        mine.extend(json.loads(answer).get("ids", {}).values())

    async def sample(self):
        while True:
            self.samples.append((time.monotonic(), *self.server.memory()))
            await asyncio.sleep(min(1, SECONDS / 60))

    def between(self, start, end):
        """Returns the medians of the samples in a part of the time: all resident memory, and without pages of files."""
        chosen = [sample for sample in self.samples if start <= sample[0] - self.begin <= end]
        return [statistics.median(sample[place] for sample in chosen) for place in (1, 2)]

    async def run(self):
        token = self.server.token
        streams = [Stream(self, number, query) for number, query in enumerate(itertools.islice(queries(), STREAMS))]
        readers = [asyncio.create_task(stream.run()) for stream in streams]
        for reader in readers:
            # The first fault ends the run; the others, which may be hundreds of the same kind, are not printed.
            reader.add_done_callback(lambda task: task.cancelled() or task.exception())
        tasks = set(readers)
        await self.until(asyncio.gather(*(stream.connected.wait() for stream in streams)), tasks, PATIENCE, "all streams have their state")
        writers = [asyncio.create_task(self.write(number, token)) for number in range(WRITERS)]
        await self.until(self.warmed_up(), tasks | set(writers), PATIENCE, f"{WARM_UP} commits are made")
        self.begin = time.monotonic()
        sampler = asyncio.create_task(self.sample())
        tasks |= {sampler}
        await self.until(asyncio.sleep(SECONDS), tasks | set(writers), SECONDS + 60, "the time is over")
        self.is_settling = True
        self.settles.set()
        await self.until(asyncio.gather(*writers), tasks, PATIENCE, "all writers have ended")
        head = (await asyncio.to_thread(self.get, "/api/stats"))["head"]
        await self.until(self.caught_up(streams, head), tasks, PATIENCE, f"all streams are at {head}")
        await self.compare(streams, head)
        sampler.cancel()
        self.report(streams, head)
        await self.shut_down(readers)

    async def until(self, awaited, tasks, seconds, what):
        """Waits for something, and throws what a task throws meanwhile."""
        awaited = asyncio.ensure_future(awaited)
        done, _ = await asyncio.wait({awaited, *tasks}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in done - {awaited}:
            task.result()
        if awaited not in done:
            if not done:
                raise Fault(f"it took more than {seconds:.0f} s until {what}")
            return await self.until(awaited, tasks - done, seconds, what)
        return await awaited

    async def warmed_up(self):
        while sum(self.commits.values()) < WARM_UP:
            await asyncio.sleep(0.2)

    async def caught_up(self, streams, head):
        while behind := [stream for stream in streams if stream.copy.position < head]:
            self.behind = behind
            await asyncio.sleep(0.2)

    async def compare(self, streams, head):
        """Compares each list, its values and numbers with a fresh fetch."""
        for stream in streams:
            fetched = await asyncio.to_thread(self.get, f"/api/fetch/Recipe?{stream.query}&at={head}")
            if fault := stream.copy.differs(fetched):
                raise Fault(f"{stream.query}: {fault}")

    def report(self, streams, head):
        events = sum((stream.events for stream in streams), collections.Counter())
        all_warm, warm = self.between(SECONDS * 0.1, SECONDS * 0.2)
        all_end, end = self.between(SECONDS * 0.9, SECONDS)
        print(f"{len(streams)} streams, {SECONDS:.0f} s, {sum(self.commits.values())} commits, head {head}, {dict(events)}")
        print(
            f"memory: after the warm-up {warm / (1 << 20):.1f} MiB, at the end {end / (1 << 20):.1f} MiB; "
            f"with pages of files {all_warm / (1 << 20):.1f} and {all_end / (1 << 20):.1f} MiB; {self.server.descriptors()} descriptors"
        )
        tenths = (self.between(SECONDS * tenth / 10, SECONDS * (tenth + 1) / 10)[1] for tenth in range(10))
        print(f"without pages of files, by tenths of the time: {', '.join(f'{size / (1 << 20):.1f}' for size in tenths)} MiB")
        cuts = self.server.log.read_text(encoding="utf-8").count("an answer was cut: the client received nothing")
        if cuts < events["cut off"]:
            raise Fault(f"{events['cut off']} connections ended after a pause, of which the server cut off {cuts}")
        if end > warm * (1 + GROWTH) + GROWTH_IN_BYTES:
            raise Fault(f"the memory grew from {warm / (1 << 20):.1f} to {end / (1 << 20):.1f} MiB")

    async def shut_down(self, readers):
        self.is_stopping = True
        begin = time.monotonic()
        self.server.process.terminate()
        try:
            status = await asyncio.to_thread(self.server.process.wait, SHUTDOWN)
        except subprocess.TimeoutExpired as error:
            raise Fault(f"the server has not ended {SHUTDOWN} s after SIGTERM") from error
        print(f"SIGTERM: ended with status {status} after {time.monotonic() - begin:.1f} s")
        if status != 0:
            raise Fault(f"the server ended with status {status}")
        await asyncio.wait_for(asyncio.gather(*readers), PATIENCE)
        lines = [
            line for line in self.server.log.read_text(encoding="utf-8").splitlines() if re.search(r"\b(error|critical|warning|fatal)\b", line, re.IGNORECASE)
        ]
        if lines:
            raise Fault("the server's log has\n" + "\n".join(lines[:20]))
        verified = subprocess.run([BINARY, "verify", self.store.path], capture_output=True, text=True, timeout=600, check=False)
        if verified.returncode != 0:
            raise Fault(f"verify: {verified.stdout} {verified.stderr}")


def main():
    print(f"DAYBOOK_SEED={SEED}", flush=True)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    with tempfile.TemporaryDirectory(prefix="daybook-soak-", ignore_cleanup_errors=True) as directory:

        async def run():
            soak = Soak(pathlib.Path(directory))
            try:
                await soak.run()
            except Fault:
                soak.is_stopping = True
                print(soak.server.log.read_text(encoding="utf-8")[-4_000:], file=sys.stderr)
                raise
            finally:
                soak.server.stop()

        try:
            asyncio.run(run())
        except Fault as fault:
            sys.exit(f"soak: {fault}")


if __name__ == "__main__":
    main()
