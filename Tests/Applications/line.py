"""A line to a server: a proxy whose every byte takes some time, and which can be cut."""

import asyncio
import collections
import threading
from urllib.parse import urlsplit


class Line:
    """Connects a port of its own to a server. `delay` is the time of each direction in seconds."""

    def __init__(self, address, delay=0.0):
        target = urlsplit(address)
        self.delay, self.is_cut = delay, False
        self._target = target.hostname, target.port
        self._ends = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        opening = asyncio.run_coroutine_threadsafe(self._loop.create_server(lambda: _Near(self), target.hostname, 0), self._loop)
        self._server = opening.result(10)
        self.address = f"http://{target.hostname}:{self._server.sockets[0].getsockname()[1]}"

    def cut(self):
        """Ends all connections, and each new one at once, until the line is mended."""
        self.is_cut = True
        self._call(self._abort)

    def mend(self):
        self.is_cut = False

    def close(self):
        self.cut()
        self._call(self._server.close)
        self._call(self._loop.stop)
        self._thread.join(10)

    def _call(self, function):
        self._loop.call_soon_threadsafe(function)

    def _abort(self):
        for end in list(self._ends):
            end.transport.abort()


class _End(asyncio.Protocol):
    """One end of a connection through the line; what it receives is written to the other end after the delay."""

    def __init__(self, line):
        self.line, self.transport, self.other = line, None, None
        self.waiting = collections.deque()

    def connection_made(self, transport):
        self.transport = transport
        self.line._ends.add(self)

    def data_received(self, data):
        self._later(data)

    def connection_lost(self, error):
        self.line._ends.discard(self)
        self._later(None)

    def _later(self, data):
        # The oldest piece is taken at each call, so that pieces of the same moment keep their order.
        self.waiting.append(data)
        self.line._loop.call_later(self.line.delay, self._pass)

    def _pass(self):
        data = self.waiting.popleft()
        if self.other is None or self.other.transport is None:
            return
        if data is None:
            self.other.transport.close()
        elif not self.other.transport.is_closing():
            self.other.transport.write(data)


class _Near(_End):
    """The end at the browser. The server serves its own address alone, so requests are written as if they were sent there."""

    def connection_made(self, transport):
        super().connection_made(transport)
        if self.line.is_cut:
            transport.abort()
            return
        self._own = self.line.address.encode().removeprefix(b"http://")
        self._target = b"%s:%d" % (self.line._target[0].encode(), self.line._target[1])
        self._before = []
        self.line._loop.create_task(self._connect())

    async def _connect(self):
        try:
            _, other = await self.line._loop.create_connection(lambda: _End(self.line), *self.line._target)
        except OSError:
            self.transport.abort()
            return
        other.other, self.other = self, other
        for data in self._before:
            self._later(data)

    def data_received(self, data):
        data = data.replace(self._own, self._target)
        if self.other is None:
            self._before.append(data)
        else:
            self._later(data)
