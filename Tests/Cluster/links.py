"""Connections between processes on loopback that a test can cut, make silent and delay."""

import asyncio
import contextlib
import threading
import time

CHUNK = 1 << 16
CHUNKS_ON_THE_WAY = 64


class Link:
    """A port that forwards to another one.

    `cut` closes all connections and refuses new ones, as a host that rejects them does. `silence` keeps them open and
    forwards nothing, as a network that loses packets does; what was sent meanwhile arrives when the link is healed.
    """

    def __init__(self, name, port, target):
        self.name = name
        self.port = port
        self.target = target
        self.delay = 0
        self.is_cut = False
        self.is_silent = False
        self.forwarded = 0
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._tasks = set()
        self._server = None

    async def open(self):
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)

    async def close(self):
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def apply(self, cut=False, silent=False, delay=0):
        """Sets the state of the link; called in the thread of the links."""
        self.is_cut, self.is_silent, self.delay = cut, silent, delay
        if cut:
            for task in list(self._tasks):
                task.cancel()
        if silent or cut:
            self._flowing.clear()
        else:
            self._flowing.set()

    @property
    def state(self):
        return "cut" if self.is_cut else "silent" if self.is_silent else f"delayed by {self.delay:.3f} s" if self.delay else "open"

    async def _accept(self, reader, writer):
        task = asyncio.current_task()
        self._tasks.add(task)
        try:
            if not self.is_cut:
                await self._serve(reader, writer)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.transport.abort()

    async def _serve(self, reader, writer):
        await self._flowing.wait()
        target_reader, target_writer = await asyncio.open_connection("127.0.0.1", self.target)
        pumps = [asyncio.ensure_future(self._pump(reader, target_writer)), asyncio.ensure_future(self._pump(target_reader, writer))]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
            target_writer.transport.abort()

    async def _pump(self, reader, writer):
        """Forwards one direction: a reader that notes when each chunk came, and a writer that waits until it is due."""
        waiting = asyncio.Queue(CHUNKS_ON_THE_WAY)

        async def read():
            # A process that is killed before it has read all resets its connections.
            with contextlib.suppress(OSError):
                while data := await reader.read(CHUNK):
                    await waiting.put((time.monotonic() + self.delay, data))
            await waiting.put((time.monotonic(), None))

        reading = asyncio.ensure_future(read())
        try:
            while True:
                due, data = await waiting.get()
                if (left := due - time.monotonic()) > 0:
                    await asyncio.sleep(left)
                await self._flowing.wait()
                if data is None:
                    return
                writer.write(data)
                await writer.drain()
                self.forwarded += len(data)
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)


class Links:
    """All links of a cluster, by name, in a thread of their own."""

    def __init__(self):
        self._links = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="links", daemon=True)
        self._thread.start()

    def add(self, name, port, target):
        link = Link(name, port, target)
        self._run(link.open())
        self._links[name] = link
        return link

    def __getitem__(self, name):
        return self._links[name]

    def __iter__(self):
        return iter(self._links.values())

    def named(self, *ends):
        """Returns the links that have all these ends: of "s1" and "s2" both directions."""
        return [link for name, link in self._links.items() if set(ends) <= set(name)]

    def apply(self, links, **state):
        async def work():
            for link in links:
                link.apply(**state)

        self._run(work())

    def heal(self):
        self.apply(list(self._links.values()))

    def close(self):
        async def work():
            await asyncio.gather(*(link.close() for link in self._links.values()))

        with contextlib.suppress(TimeoutError):
            self._run(work())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    def _run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(10)
