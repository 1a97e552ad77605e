"""What `Tools/measure-cluster` measures: nodes beside C programs on the same servers."""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import uuid

from cluster import Cluster
from daybook import BINARY
from natsclient import Connection
from nodes import LIST, SETUP

WRITER = os.environ.get("CLUSTER_WRITER", ".build/release/ClusterWriter")
BASELINE = pathlib.Path(__file__).with_name("baseline")
STREAM, BASELINE_STREAM = "MEASURED", "BASELINE"
WRITERS = 8
LEAST_RATIO_OF_COMMITS, GREATEST_RATIO_OF_MEDIANS = 0.6, 1.3
SAMPLE = 50


def build(name, directory, *libraries):
    """Compiles a program of the baseline and returns its path."""
    program = directory / name
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", *libraries], capture_output=True, text=True, check=True).stdout.split() if libraries else []
    subprocess.run(["cc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-o", program, BASELINE / f"{name}.c", *flags, "-lpthread"], check=True)
    return program


def run_together(commands, seconds):
    """Runs programs at the same time and returns what they print."""
    processes = [subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True) for command in commands]
    try:
        outputs = [process.communicate(timeout=seconds + 60)[0] for process in processes]
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
    if any(process.returncode for process in processes):
        sys.exit(f"a program of the measurement ended with {[process.returncode for process in processes]}")
    return [json.loads(output) for output in outputs]


class Measurement:
    """A running cluster, and the rounds of both sides."""

    def __init__(self, directory, seconds):
        self.directory, self.seconds = directory, seconds
        self.publisher = build("publisher", directory, "libnats", "lmdb")
        self.poster = build("poster", directory)
        self.cluster = Cluster(directory)
        self.names = 0

    def start(self):
        self.cluster.start()
        self.cluster.make_nodes(STREAM, is_direct=True)
        status, _, answer = self.cluster.nodes[0].commit(SETUP, str(uuid.uuid4()), seconds=30)
        assert status == 201, answer
        with Connection(self.cluster.servers.ports) as connection:
            connection.api(
                f"STREAM.CREATE.{BASELINE_STREAM}",
                {"name": BASELINE_STREAM, "subjects": [f"{BASELINE_STREAM}.>"], "num_replicas": 3, "storage": "file"},
                seconds=10,
            )
            # The expected sequence 0 has a form of its own; the publishers begin after a first message.
            connection.publish(f"{BASELINE_STREAM}.baseline", b"first", {})
        time.sleep(1)

    def last_sequence(self):
        with Connection(self.cluster.servers.ports) as connection:
            return connection.api(f"STREAM.INFO.{STREAM}")["state"]["last_seq"]

    def mean_size(self):
        """Returns the mean size of the newest messages, as a node published them."""
        last = self.last_sequence()
        with Connection(self.cluster.servers.ports) as connection:
            messages = [connection.message(STREAM, sequence) for sequence in range(max(1, last - SAMPLE), last + 1)]
        return round(statistics.mean(len(message[1]) for message in messages if message))

    def daybook(self, nodes, writers):
        """Returns commits a second, median, 99th percentile, commits a message and bytes a message of the nodes' writers."""
        self.names += 1
        before = self.last_sequence()
        results = run_together(
            [[self.poster, node.port, node.token, LIST, writers, self.seconds, f"{node.name}.{self.names}"] for node in self.cluster.nodes[:nodes]],
            self.seconds,
        )
        messages = max(1, self.last_sequence() - before)
        commits = sum(result["count"] for result in results)
        return summary(results, commits, commits / messages, self.mean_size())

    def writers(self, nodes, writers):
        """Returns the same of writers in processes of the nodes, without HTTP; the other nodes are served, and follow."""
        served, written = self.cluster.nodes[nodes:], self.cluster.nodes[:nodes]
        for node in written:
            node.stop()
        try:
            before = self.last_sequence()
            results = run_together([[WRITER, node.store.path, LIST, writers, self.seconds] for node in written], self.seconds)
            messages = max(1, self.last_sequence() - before)
        finally:
            for node in written:
                node.start()
        assert all(node.is_running for node in served)
        commits = sum(result["count"] for result in results)
        return summary(results, commits, commits / messages, self.mean_size())

    def baseline(self, publishers, commits_a_message, size, *form):
        """Returns the same of C programs that publish messages of that size; `lmdb` for ones that put them into LMDB."""
        url = ",".join(f"nats://127.0.0.1:{port}" for port in self.cluster.servers.ports)
        results = run_together(
            [
                [self.publisher, url, BASELINE_STREAM, self.directory / "-".join(["published", str(number), *form]), size, self.seconds, *form]
                for number in range(publishers)
            ],
            self.seconds,
        )
        return summary(results, sum(result["count"] for result in results) * commits_a_message, commits_a_message, size)

    def lines(self):
        """Returns the figures of one writer without HTTP: `daybook apply` with a pipe that stays open."""
        process = subprocess.Popen(
            [BINARY, "apply", self.cluster.nodes[0].store.path, "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        times, begun = [], time.monotonic()
        try:
            while time.monotonic() < begun + self.seconds:
                line = {"insert": "Item", "values": {"name": f"line {uuid.uuid4()}", "done": False}, "relate": {"list": LIST}}
                started = time.monotonic()
                process.stdin.write(json.dumps(line) + "\n")
                process.stdin.flush()
                if not process.stdout.readline():
                    sys.exit("apply ended")
                times.append(time.monotonic() - started)
        finally:
            process.stdin.close()
            process.wait(30)
        times.sort()
        result = {"count": len(times), "seconds": time.monotonic() - begun, "median": times[len(times) // 2], "p99": times[int(len(times) * 0.99)]}
        return summary([result], len(times), 1, self.mean_size())


def summary(results, commits, commits_a_message, size):
    return {
        "rate": commits / max(result["seconds"] for result in results),
        "median": statistics.mean(result["median"] for result in results),
        "p99": max(result["p99"] for result in results),
        "commits": commits_a_message,
        "size": size,
    }


def mean(rounds):
    return {key: statistics.mean(figures[key] for figures in rounds) for key in rounds[0]}


def compare(measurement, title, measured, rounds, publishers):
    """Measures both sides in turns, prints their figures, and returns the ratios of commits and of medians."""
    ours, theirs, with_lmdb = [], [], []
    for _ in range(rounds):
        ours.append(measured())
        given = publishers, ours[-1]["commits"], ours[-1]["size"]
        theirs.append(measurement.baseline(*given))
        with_lmdb.append(measurement.baseline(*given, "lmdb"))
    ours, theirs, with_lmdb = mean(ours), mean(theirs), mean(with_lmdb)
    print(
        f"| {title} | {ours['commits']:.1f} | {ours['size']:.0f} | {ours['rate']:.0f} | {theirs['rate']:.0f} | {ours['rate'] / theirs['rate']:.2f} "
        f"| {ours['median'] * 1e3:.2f} | {theirs['median'] * 1e3:.2f} | {ours['median'] / theirs['median']:.2f} | {ours['p99'] * 1e3:.1f} "
        f"| {theirs['p99'] * 1e3:.1f} | {ours['rate'] / with_lmdb['rate']:.2f} | {ours['median'] / with_lmdb['median']:.2f} |",
        flush=True,
    )
    return ours["rate"] / theirs["rate"], ours["median"] / theirs["median"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3, choices=range(1, 21), metavar="N", help="turns of both sides")
    arguments = parser.parse_args()
    directory = pathlib.Path(tempfile.mkdtemp(prefix="daybook-measure-"))
    measurement = Measurement(directory, arguments.seconds)
    try:
        measurement.start()
        nodes = measurement.cluster.nodes
        print(
            "| writers | commits a message | bytes a message | commits/s | C program | ratio | median, ms | C program | ratio | p99, ms "
            "| C program | rate to C with LMDB | median to C with LMDB |"
        )
        print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
        rate, _ = compare(measurement, "8 a node, in its process", lambda: measurement.writers(len(nodes), WRITERS), arguments.rounds, len(nodes))
        _, median = compare(measurement, "1, in the process of a node", lambda: measurement.writers(1, 1), arguments.rounds, 1)
        compare(measurement, "8 a node, over HTTP", lambda: measurement.daybook(len(nodes), WRITERS), arguments.rounds, len(nodes))
        compare(measurement, "8 on one node, over HTTP", lambda: measurement.daybook(1, WRITERS), arguments.rounds, 1)
        compare(measurement, "1, over HTTP", lambda: measurement.daybook(1, 1), arguments.rounds, 1)
        compare(measurement, "1, lines of `apply`", measurement.lines, arguments.rounds, 1)
    finally:
        measurement.cluster.stop()
        shutil.rmtree(directory, ignore_errors=True)
    missed = []
    if rate < LEAST_RATIO_OF_COMMITS:
        missed.append(f"8 writers a node make {rate:.2f} of the C programs' commits; {LEAST_RATIO_OF_COMMITS} is wanted")
    if median > GREATEST_RATIO_OF_MEDIANS:
        missed.append(f"one writer's median is {median:.2f} times the C program's; {GREATEST_RATIO_OF_MEDIANS} is wanted")
    sys.exit("\n".join(missed) or 0)


if __name__ == "__main__":
    main()
