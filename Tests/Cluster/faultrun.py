"""One fault run: clients work on three nodes while faults happen, then everything is healed and compared."""

import collections
import dataclasses
import http.client
import shutil
import time
import uuid

import checker
import faults
from history import History, Operation, Outcome
from natsclient import Connection
from nodes import FIRST_VALUE, LIST, SETUP, Node, together, wait_for
from observer import Observer, differing_replicas
from workload import CommitFollower, ListFollower, Reader, Writer

WRITERS_PER_NODE = 4
SECONDS = 4
HEALING_SECONDS = 90


@dataclasses.dataclass
class Report:
    """What a run found: violations, faults of the servers, and what was done."""

    seed: int
    faults: list
    findings: list = dataclasses.field(default_factory=list)
    server_faults: list = dataclasses.field(default_factory=list)
    forks: dict = dataclasses.field(default_factory=dict)
    outcomes: dict = dataclasses.field(default_factory=dict)
    statuses: dict = dataclasses.field(default_factory=dict)
    commits: int = 0
    moves: int = 0
    seconds: float = 0

    def __str__(self):
        outcomes = ", ".join(f"{count} {name}" for name, count in sorted(self.outcomes.items()))
        lines = [
            f"DAYBOOK_SEED={self.seed}: {self.commits} commits; {outcomes}; feeds moved {self.moves} times; {self.seconds:.0f} s",
            *(f"    {fault}" for fault in self.faults),
        ]
        lines += [f"    fault of the servers: {text}" for text in self.server_faults]
        lines += [f"    node {node} is forked at {position}" for node, position in sorted(self.forks.items())]
        lines += [f"    FOUND {finding}" for finding in self.findings[:20]]
        if self.findings:
            lines.append(f"    answers: {self.statuses}")
        return "\n".join(lines)


def differing_rows(nodes, head):
    """Returns where nodes have folded other rows than the first one from the same journal."""
    rows = together(Node.rows, nodes)
    return [f"rows of {node.name}: {found}, not {(head, rows[0][1])}" for node, found in zip(nodes, rows, strict=True) if found != (head, rows[0][1])]


class RunError(Exception):
    """A run could not be carried out: something was not healed in time, or a program ended with an error."""


class FaultRun:
    """Runs one seed on a cluster whose servers run and whose nodes are made for it."""

    def __init__(self, cluster, seed, seconds=SECONDS, kinds=None, has_faults=True, settling=10):
        self.cluster, self.seed, self.seconds, self.kinds, self.settling = cluster, seed, seconds, kinds, settling
        self.stream = f"RUN{seed}-{uuid.uuid4().hex[:6]}"
        self.nodes = cluster.make_nodes(self.stream)
        self.plan = faults.plan(seed, cluster.servers, self.nodes, cluster.links, seconds) if has_faults else []
        self.report = Report(seed, [str(fault) for fault in self.plan])
        self.final = []

    def run(self):
        """Returns what the run found; raises `RunError` if it cannot be carried out."""
        try:
            return self.run_to_its_end()
        except Exception as error:
            raise RunError(f"{self.report}\n{error!r}\n{self.cluster.servers.logs()}") from error

    def run_to_its_end(self):
        begun = time.monotonic()
        mark = self.set_up()
        self.observer = Observer(self.cluster.servers, self.stream)
        self.writers = [Writer(number, node, self.nodes, self.seed, self.kinds) for node in self.nodes for number in range(WRITERS_PER_NODE)]
        self.readers = [Reader(node, self.seed) for node in self.nodes]
        self.followers = [
            CommitFollower(1, self.nodes, mark, self.seed),
            CommitFollower(2, self.nodes, mark, self.seed),
            ListFollower(1, self.nodes, mark, self.seed),
            ListFollower(2, self.nodes, mark, self.seed),
        ]
        clients = [self.observer, *self.writers, *self.readers, *self.followers]
        try:
            for client in clients:
                client.start()
            self.carry_out()
            self.end(self.writers)
            self.heal()
            self.check()
        finally:
            self.cluster.links.heal()
            self.end(clients)
            self.cluster.stop_nodes()
        self.report.seconds = time.monotonic() - begun
        return self.report

    def discard(self):
        """Removes the stores and the stream, which would pile up over hundreds of runs."""
        with Connection(self.cluster.servers.ports) as connection:
            connection.api(f"STREAM.DELETE.{self.stream}", seconds=10)
        shutil.rmtree(self.cluster.directory / self.stream)

    def set_up(self):
        """Writes the list and the register, waits until all nodes have them, and returns the mark of that commit."""
        status, _, answer = self.nodes[0].commit(SETUP, str(uuid.UUID(int=self.seed, version=4)), seconds=30)
        assert status == 201, answer
        mark = self.nodes[0].mark()
        wait_for(lambda: all(node.mark() == mark for node in self.nodes), 30, "all nodes have the first commit")
        return mark

    def carry_out(self):
        """Begins and ends the faults at their times, and returns when the time of the writers is over."""
        begun = time.monotonic()
        steps = [step for fault in self.plan for step in ((fault.at, fault.begin), (fault.at + fault.duration, fault.end))]
        for at, step in sorted(steps, key=lambda it: it[0]):
            time.sleep(max(0, begun + at - time.monotonic()))
            step()
        time.sleep(max(0, begun + self.seconds - time.monotonic()))

    @staticmethod
    def end(clients):
        for client in clients:
            client.end()
        for client in clients:
            client.join(60)
            assert not client.is_alive(), f"{client.name} does not end"

    def heal(self):
        """Heals everything, and waits until each node that is not forked has taken a write, and all have the same head."""
        self.cluster.heal()
        self.cluster.servers.wait_until_ready()
        wait_for(lambda: self.cluster.servers.stream_is_whole(self.stream), HEALING_SECONDS, "the stream has all of its replicas")
        end = time.monotonic() + HEALING_SECONDS
        for node in self.nodes:
            self.write_once_more(node, end)
        try:
            wait_for(self.marks_are_equal, self.settling, "all nodes have the same head")
            self.drain(self.followers)
        except TimeoutError:
            # Forked nodes never agree; the comparison of the journals tells what differs.
            pass

    def write_once_more(self, node, end):
        """A node that is healed takes writes again, unless it is forked."""
        identity = str(uuid.uuid4())
        operation = Operation(str(uuid.uuid4()), f"end{node.number}", "append", identity, time.monotonic())
        value = {"insert": "Item", "id": identity, "values": {"name": f"end {node.number}", "done": False}, "relate": {"list": LIST}}
        self.final.append(operation)
        while True:
            try:
                status, _, answer = node.commit(value, operation.commit)
            except (OSError, http.client.HTTPException, ValueError) as error:
                status, answer = None, repr(error)
            if status == 201:
                operation.returned, operation.outcome = time.monotonic(), Outcome.ACKNOWLEDGED
                operation.position, operation.node = answer["position"], node.number
                return
            if time.monotonic() > end or status in (403, 409, 422):
                self.report.statuses[f"{node.name} at the end: {status} {answer}"[:300]] = 1
                return
            time.sleep(0.5)

    def marks_are_equal(self):
        try:
            return len({node.mark() for node in self.nodes}) == 1
        except (OSError, http.client.HTTPException, ValueError):
            return False

    def drain(self, followers):
        head = int(self.nodes[0].mark().split("-")[0])
        wait_for(lambda: all(follower.position >= head or not follower.is_alive() for follower in followers), self.settling, "the feeds reach the head")

    def check(self):
        """Stops the nodes and compares all that was recorded."""
        report = self.report
        self.end([*self.readers, *self.followers, self.observer])
        report.server_faults += [*self.observer.findings(), *differing_replicas(self.cluster.servers, self.stream)]
        self.cluster.stop_nodes()
        forks = together(Node.fork, self.nodes)
        report.forks = {node.number: fork for node, fork in zip(self.nodes, forks, strict=True) if fork is not None}
        journals = dict(zip((node.number for node in self.nodes), together(Node.journal, self.nodes), strict=True))
        operations = [operation for writer in self.writers for operation in writer.operations] + self.final
        reads = [read for reader in self.readers for read in reader.reads]
        lost = bool(report.server_faults) or any(fault.loses_messages for fault in self.plan)
        history = History(operations, reads, journals, report.forks, lost, FIRST_VALUE)
        report.findings += [str(finding) for finding in checker.findings(history)]
        for node, found in zip(self.nodes, together(Node.faults, self.nodes), strict=True):
            report.findings += [f"verify of {node.name}: {fault}" for fault in found]
        report.findings += [text for client in [*self.writers, *self.readers] for text in client.trouble]
        if not lost:
            # A commit that the servers lost is not known to the others, and is done again.
            report.findings += [text for writer in self.writers for _, text in writer.repeats]
        if not report.forks:
            main = checker.main_journal(history)
            report.findings += differing_rows(self.nodes, len(main))
            report.findings += [text for follower in self.followers for text in follower.findings(main)]
            report.findings += [f"{it} was not done after all was healed" for it in self.final if it.outcome is not Outcome.ACKNOWLEDGED]
        self.count(operations, journals)

    def count(self, operations, journals):
        report = self.report
        report.commits = max(map(len, journals.values()))
        report.outcomes = collections.Counter(operation.outcome.value for operation in operations)
        report.moves = sum(follower.moves for follower in self.followers)
        for writer in self.writers:
            for status, number in writer.statuses.items():
                report.statuses[status] = report.statuses.get(status, 0) + number
