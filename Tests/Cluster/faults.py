"""Faults of a run, drawn from its seed."""

import dataclasses
import random
import typing


@dataclasses.dataclass
class Fault:
    """What happens after `at` seconds, and ends `duration` seconds later."""

    at: float
    duration: float
    kind: str
    what: str
    begin: typing.Callable
    end: typing.Callable
    loses_messages: bool = False

    def __str__(self):
        return f"{self.at:.1f} s: {self.kind} {self.what} for {self.duration:.1f} s"


# Each kind is the first fault of one run in `len(KINDS)` with consecutive seeds; further ones are drawn.
KINDS = [
    "kill-server",
    "hold-server",
    "kill-node",
    "cut-servers",
    "hold-node",
    "cut-node",
    "isolate-server",
    "majority",
    "minority",
    "isolate-node",
    "delay",
    "empty-disk",
    "truncate",
]
# Faults that make all servers elect leaders again take much longer than the others.
SLOW = {"majority", "empty-disk", "truncate"}


def plan(seed, servers, nodes, links, seconds):
    """Returns the faults of a run of that many seconds, and the generator's kinds."""
    generator = random.Random(f"{seed}-faults")
    kinds = [KINDS[seed % len(KINDS)]]
    if kinds[0] not in SLOW:
        kinds += generator.sample([kind for kind in KINDS if kind not in SLOW], generator.randint(0, 2))
    faults, at = [], generator.uniform(0.4, 1.2)
    for kind in kinds:
        fault = make(kind, generator, servers, nodes, links)
        fault.at = at
        faults.append(fault)
        at += generator.uniform(0.3, max(0.5, seconds / len(kinds) - 0.5))
    return faults


def make(kind, generator, servers, nodes, links):
    """Returns a fault of a kind, whose targets and duration the generator chooses."""
    duration = generator.uniform(0.5, 3)
    server, other = generator.sample(servers.all, 2)
    node = generator.choice(nodes)
    silent = generator.random() < 0.5

    def fault(what, begin, end, loses_messages=False):
        return Fault(0, duration, kind, what, begin, end, loses_messages)

    def cut(what, chosen):
        state = {"silent": True} if silent else {"cut": True}
        return fault(f"{what}{', silently' if silent else ''}", lambda: links.apply(chosen, **state), lambda: links.apply(chosen))

    match kind:
        case "kill-server":
            return fault(server.name, server.kill, lambda: revive(server))
        case "minority":
            return fault(server.name, server.stop, lambda: revive(server))
        case "hold-server":
            return fault(server.name, server.hold, server.resume)
        case "kill-node":
            return fault(node.name, node.kill, lambda: revive(node))
        case "hold-node":
            return fault(node.name, node.hold, node.resume)
        case "cut-servers":
            return cut(f"{server.name} {other.name}", links.named(server.name, other.name))
        case "isolate-server":
            return cut(server.name, links.named(server.name))
        case "cut-node":
            return cut(f"{node.name} {server.name}", links.named(node.name, server.name))
        case "isolate-node":
            return cut(node.name, links.named(node.name))
        case "delay":
            chosen, delay = generator.sample(list(links), 5), generator.uniform(0.02, 0.2)
            return fault(f"{len(chosen)} links by {delay:.3f} s", lambda: links.apply(chosen, delay=delay), lambda: links.apply(chosen))
        case "majority":
            chosen = generator.sample(servers.all, generator.choice([2, 3]))
            return fault(" ".join(it.name for it in chosen), lambda: [it.kill() for it in chosen], lambda: [revive(it) for it in chosen])
        case "empty-disk":

            def empty():
                server.kill()
                server.empty()

            return fault(server.name, empty, lambda: revive(server))
        case "truncate":
            copied = Truncation(servers)
            return fault("the stream's tail", copied.begin, copied.end, loses_messages=True)
    raise ValueError(kind)


def revive(process):
    """Starts a process that is ended; the end of another fault may have done so."""
    if not process.is_running:
        process.start()


class Truncation:
    """All servers lose what they wrote in a while, as in a power cut that hits all of them before they flush."""

    def __init__(self, servers):
        self.servers = servers

    def begin(self):
        for server in self.servers.all:
            server.hold()
        for server in self.servers.all:
            server.keep_copy()
        for server in self.servers.all:
            server.resume()

    def end(self):
        for server in self.servers.all:
            server.kill()
        for server in self.servers.all:
            server.put_back()
            server.start()
