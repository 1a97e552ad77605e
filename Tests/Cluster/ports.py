"""Ports on loopback."""

import random
import socket

# Below the range from which Linux takes the ports of outgoing connections: a server that is restarted finds its port free.
FIRST, LAST = 20_000, 32_000

_given = set()
_random = random.SystemRandom()


def free_port():
    """Returns a port that no process listens at, and that this function did not return before."""
    for _ in range(1_000):
        port = _random.randint(FIRST, LAST)
        if port in _given:
            continue
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        _given.add(port)
        return port
    raise RuntimeError("no free port between 20000 and 32000")


class DeadPort:
    """A port that refuses every connection for as long as this object is open."""

    def __init__(self):
        self.port = free_port()
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", self.port))

    def close(self):
        self._socket.close()
