"""A commit that is larger than a message goes in parts, beside writers of small commits."""

import json
import time
import uuid

from history import Outcome
from nodes import LIST, SETUP, Node, command, together, wait_for
from workload import Writer

MEBIBYTES = 64
NAME_SIZE = 60_000
ATTEMPTS = 10


def test_a_commit_of_64_mebibytes_ends_beside_eight_writers(cluster, seed, tmp_path):
    nodes = cluster.make_nodes(f"LARGE{seed}", is_direct=True)
    status, _, answer = nodes[0].commit(SETUP, str(uuid.uuid4()), seconds=30)
    assert status == 201, answer
    wait_for(lambda: len({node.mark() for node in nodes}) == 1, 30, "all nodes have the first commit")
    count = (MEBIBYTES << 20) // NAME_SIZE + 1
    operations = [
        {"insert": "Item", "values": {"name": f"{number} ".ljust(NAME_SIZE, "x"), "done": False}, "relate": {"list": LIST}} for number in range(count)
    ]
    file = tmp_path / "large.jsonl"
    commit = str(uuid.uuid4())
    file.write_text(json.dumps({"commit": operations, "commitID": commit}) + "\n", encoding="utf-8")
    writers = [Writer(number, node, [node], seed, {"append": 1}) for node in nodes[1:] for number in range(4)]
    for writer in writers:
        writer.start()
    begun = time.monotonic()
    try:
        command("apply", nodes[0].store.path, file, seconds=240)
    finally:
        for writer in writers:
            writer.end()
        for writer in writers:
            writer.join(60)
    print(f"{MEBIBYTES} MiB in {time.monotonic() - begun:.1f} s")
    wait_for(lambda: len({node.mark() for node in nodes}) == 1, 120, "all nodes have the same head")
    small = [operation for writer in writers for operation in writer.operations if operation.outcome is Outcome.ACKNOWLEDGED]
    together(Node.stop, nodes)
    journals = together(Node.journal, nodes)
    assert journals[0] == journals[1] == journals[2]
    positions = {}
    for entry in journals[0]:
        positions.setdefault(entry.commit, []).append(entry.position)
    assert len(positions[commit]) == 1
    assert all(positions.get(operation.commit) == [operation.position] for operation in small)
    assert small, "the small writers wrote beside the large commit"
    # Each part of an attempt that is not finished is a message that all nodes skip.
    parts = (MEBIBYTES << 20) // (1 << 20) + 2
    assert nodes[0].replication()["skipped"] <= ATTEMPTS * parts
