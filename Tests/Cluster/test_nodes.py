"""What a node does when it is cut off, joins late, or begins a stream at the same moment as another one."""

import json
import os
import signal
import subprocess
import time
import uuid

import pytest

from daybook import BINARY
from natsclient import Connection
from nodes import LIST, SETUP, CommandError, Node, command, together, wait_for
from workload import NOTHING_WRITTEN, CommitFollower, ListFollower

# A line of the log has more than 100 bytes.
MESSAGES = 1_200


def item():
    return {"insert": "Item", "id": str(uuid.uuid4()), "values": {"name": "item", "done": False}, "relate": {"list": LIST}}


def set_up(nodes):
    status, _, answer = nodes[0].commit(SETUP, str(uuid.uuid4()), seconds=30)
    assert status == 201, answer
    wait_for(lambda: len({node.mark() for node in nodes}) == 1, 30, "all nodes have the first commit")


def test_a_node_that_is_cut_off_reads_and_refuses_to_write_in_time(cluster, seed):
    first, second, third = nodes = cluster.make_nodes(f"CUT{seed}")
    set_up(nodes)
    for silent in (False, True):
        cluster.links.apply(cluster.links.named("n1"), cut=not silent, silent=silent)
        # A node that has not noticed that its connection is closed may send a message into it.
        time.sleep(2)
        commit, line = str(uuid.uuid4()), item()
        status, fields, answer = first.commit(line, commit, seconds=60)
        # Through a silent link a message may have been sent, and then the outcome is not known.
        assert status == 503 and fields["Retry-After"], answer
        assert silent or NOTHING_WRITTEN in answer["detail"], answer
        status, _, value = first.request("GET", f"/api/objects/{LIST}")
        assert status == 200 and line["id"] not in value["links"]["items"]
        status, _, answer = second.commit(item(), str(uuid.uuid4()))
        assert status == 201, answer
        cluster.links.heal()
        # Sent again with its id it is done once, whatever became of it.
        status, _, answer = wait_for(lambda: done(first, line, commit), 60, "the node writes again")
        assert done(third, line, commit)[2]["position"] == answer["position"]
        wait_for(lambda: len({node.mark() for node in nodes}) == 1, 30, "all nodes have the same head")
        _, _, value = first.request("GET", f"/api/objects/{LIST}")
        assert value["links"]["items"].count(line["id"]) == 1


def done(node, line, commit):
    answer = node.commit(line, commit, seconds=30)
    return answer if answer[0] == 201 else None


def test_commands_take_what_they_need_from_the_stream(cluster, seed):
    first, second, third = nodes = cluster.make_nodes(f"COMMANDS{seed}")
    set_up(nodes)
    # Nothing follows on these from here on.
    together(Node.stop, [second, third])
    lines = [item() for _ in range(3)]
    for line in lines:
        assert first.commit(line, str(uuid.uuid4()))[0] == 201
    head = int(first.mark().split("-")[0])
    assert json.loads(command("replication", second.store.path, "--json"))["lag"] == 3
    assert lines[2]["id"] in command("fetch", second.store.path, "Item", "--at", head, "--wait", 30, "--json")
    assert int(command("revert", third.store.path, head)) == head + 1
    assert command("follow", second.store.path, "--once").strip() == str(head + 1)
    status = json.loads(command("replication", second.store.path, "--json"))
    assert (status["lag"], status["differs"], status["fork"]) == (0, False, None)


def test_a_follower_whose_log_is_not_read_follows_and_ends(cluster, seed):
    stream = f"UNREAD{seed}"
    first, second, _ = nodes = cluster.make_nodes(stream, is_direct=True)
    set_up(nodes)
    second.stop()
    follower = subprocess.Popen([BINARY, "follow", str(second.store.path)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        with Connection(cluster.servers.ports) as connection:
            # Each is skipped, with a line in the log.
            for number in range(MESSAGES):
                connection.publish(f"daybook.{stream}.journal", f"message {number}".encode(), {}, seconds=30)
        line = item()
        assert first.commit(line, str(uuid.uuid4()), seconds=60)[0] == 201
        wait_for(lambda: line["id"] in command("fetch", second.store.path, "Item", "--json"), 60, "the follower has the commit")
        follower.send_signal(signal.SIGTERM)
        assert follower.wait(20) == 0
        # On Linux a pipe has 64 KiB.
        # The pipe was full: how many bytes that are depends on how many lines share a page.
        assert 0 < follower.stderr.read().count(b"skipping a message") < MESSAGES
    finally:
        follower.kill()
        follower.wait()


@pytest.mark.parametrize("name, text", [("COPIES", "x"), ("COPIES", "0"), ("TIMEOUT", "soon"), ("TIMEOUT", "-1"), ("TIMEOUT", "nan")])
def test_a_variable_that_is_not_a_number_is_refused(name, text):
    result = subprocess.run([BINARY, "stats", "none"], env={**os.environ, f"DAYBOOK_JOURNAL_{name}": text}, capture_output=True, text=True, check=False)
    assert result.returncode == 64 and f"DAYBOOK_JOURNAL_{name}" in result.stderr and text in result.stderr


def test_a_feed_waits_at_a_node_that_is_behind(cluster, seed):
    first, second, _ = nodes = cluster.make_nodes(f"BEHIND{seed}")
    set_up(nodes)
    cluster.links.apply(cluster.links.named("n2"), cut=True)
    for _ in range(3):
        status, _, answer = first.commit(item(), str(uuid.uuid4()))
        assert status == 201, answer
    mark = first.mark()
    followers = [CommitFollower(1, [second], mark, seed), ListFollower(1, [second], mark, seed)]
    # The list began empty, and three items came before the mark.
    names = [entry.appended for entry in first.journal() if entry.appended]
    followers[1].copy.sections = [["", names]]
    try:
        for follower in followers:
            follower.start()
        time.sleep(2)
        assert [follower.resets for follower in followers] == [[], []]
        cluster.links.heal()
        for _ in range(3):
            status, _, answer = first.commit(item(), str(uuid.uuid4()))
            assert status == 201, answer
        head = int(first.mark().split("-")[0])
        wait_for(lambda: all(follower.position == head for follower in followers), 30, "the feeds go on at the node that was behind")
        assert [follower.resets + follower.trouble for follower in followers] == [[], []]
    finally:
        for follower in followers:
            follower.end()
        for follower in followers:
            follower.join(10)


def test_a_node_that_joins_late_has_the_whole_history(cluster, seed):
    stream = f"LATE{seed}"
    nodes = cluster.make_nodes(stream)
    set_up(nodes)
    for number in range(30):
        status, _, answer = nodes[number % 3].commit(item(), str(uuid.uuid4()))
        assert status == 201, answer
    late = Node(4, cluster.directory / stream / "n4", cluster.direct_address(stream))
    late.join()
    late.start()
    try:
        status, _, answer = late.commit(item(), str(uuid.uuid4()))
        assert status == 201 and answer["position"] == 33, answer
        wait_for(lambda: len({node.mark() for node in [*nodes, late]}) == 1, 30, "all nodes have the same head")
    finally:
        late.stop()
    assert late.journal() == nodes[0].journal() and late.faults() == []


def test_of_two_nodes_that_begin_a_stream_one_is_refused(cluster, seed):
    stream = f"BEGIN{seed}"
    nodes = [Node(number, cluster.directory / stream / f"n{number}", cluster.direct_address(stream)) for number in (4, 5)]

    def begin(node):
        try:
            node.init()
            return "begun"
        except CommandError as error:
            return str(error)

    answers = together(begin, nodes)
    assert sorted(answer == "begun" for answer in answers) == [False, True], answers
    assert "init ended with 1" in next(answer for answer in answers if answer != "begun")
