"""A line to a server that may be slow, and may be cut."""

import contextlib
import socket
import threading
import time


class Relay:
    """Passes connections on to a server, each byte some seconds later; drops all of them when it is told to."""

    def __init__(self, target=None, delay=0.0):
        self.target, self.delay = target, delay
        self.is_cut = False
        self.pairs = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                if self.is_cut:
                    client.close()
                    continue
                threading.Thread(target=self.connect, args=(client,), daemon=True).start()

    def connect(self, client):
        try:
            server = socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            client.close()
            return
        self.pairs.append((client, server))
        for source, sink in [(client, server), (server, client)]:
            threading.Thread(target=self.copy, args=(source, sink), daemon=True).start()

    def copy(self, source, sink):
        pieces, change = [], threading.Condition()

        def write():
            with contextlib.suppress(OSError):
                while True:
                    with change:
                        change.wait_for(lambda: pieces)
                        due, data = pieces.pop(0)
                    time.sleep(max(0, due - time.monotonic()))
                    if not data:
                        break
                    sink.sendall(data)
            self.end(source, sink)

        threading.Thread(target=write, daemon=True).start()
        data = b"-"
        while data:
            try:
                data = source.recv(1 << 16)
            except OSError:
                data = b""
            with change:
                pieces.append((time.monotonic() + self.delay, data))
                change.notify()

    @staticmethod
    def end(*ends):
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def drop(self):
        """Ends all connections; new ones are taken."""
        pairs, self.pairs = self.pairs, []
        for pair in pairs:
            self.end(*pair)

    def cut(self):
        """Ends all connections, and takes none until the line is mended."""
        self.is_cut = True
        self.drop()

    def mend(self):
        self.is_cut = False

    def close(self):
        self.listener.close()
        self.drop()
