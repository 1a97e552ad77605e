"""Servers lose acknowledged messages: a node that has them brings them back, or reports that its history is another one."""

import uuid

import pytest

from faults import Truncation
from nodes import LIST, SETUP, CommandError, Node, command, together, wait_for

LOST = 5


def append(node, count):
    """Appends items through a node and returns position to commit id of each."""
    done = {}
    for _ in range(count):
        commit = str(uuid.uuid4())
        line = {"insert": "Item", "id": str(uuid.uuid4()), "values": {"name": f"item {commit}", "done": False}, "relate": {"list": LIST}}
        status, _, answer = until_answered(node, line, commit)
        assert status == 201, answer
        done[answer["position"]] = commit
    return done


def until_answered(node, line, commit, seconds=60):
    """Sends a commit until it is done or refused; while servers elect a leader it has no answer."""

    def answer():
        try:
            result = node.commit(line, commit)
        except OSError:
            return None
        return result if result[0] < 500 else None

    return wait_for(answer, seconds, f"{node.name} answers a write")


@pytest.fixture
def lost(cluster):
    """Node 1 alone has the last acknowledged commits: the servers lost them, and no other node had read them."""
    stream = f"LOST{uuid.uuid4().hex[:6]}"
    nodes = cluster.make_nodes(stream)
    status, _, answer = nodes[0].commit(SETUP, str(uuid.uuid4()), seconds=30)
    assert status == 201, answer
    append(nodes[0], 3)
    wait_for(lambda: len({node.mark() for node in nodes}) == 1, 30, "all nodes have the first commits")
    truncation = Truncation(cluster.servers)
    for node in nodes[1:]:
        cluster.links.apply(cluster.links.named(node.name), cut=True)
    truncation.begin()
    commits = append(nodes[0], LOST)
    nodes[0].stop()
    truncation.end()
    cluster.servers.wait_until_ready()
    cluster.links.heal()
    wait_for(lambda: cluster.servers.stream_is_whole(stream), 60, "the stream has all of its replicas")
    return nodes, commits


def positions(node):
    return {entry.position: entry.commit for entry in node.journal()}


def test_a_node_that_has_the_tail_refills_the_stream(lost):
    nodes, commits = lost
    nodes[0].start()
    more = append(nodes[0], 1)
    assert min(more) == max(commits) + 1
    wait_for(lambda: len({node.mark() for node in nodes}) == 1, 60, "all nodes have the head")
    append(nodes[1], 1)
    wait_for(lambda: len({node.mark() for node in nodes}) == 1, 60, "all nodes have the head")
    together(Node.stop, nodes)
    for node in nodes:
        assert node.fork() is None
        assert node.faults() == []
        held = positions(node)
        assert {position: held.get(position) for position in commits} == commits, f"{node.name} lacks acknowledged commits"


def test_a_history_that_others_wrote_over_is_reported_kept_and_given_up_by_command(lost, tmp_path):
    nodes, commits = lost
    others = append(nodes[1], LOST + 1)
    assert min(others) == min(commits)
    nodes[0].start()
    line = {"insert": "Item", "values": {"name": "refused", "done": False}, "relate": {"list": LIST}}
    status, _, answer = until_answered(nodes[0], line, str(uuid.uuid4()))
    assert 400 <= status < 500, f"a forked node wrote: {answer}"
    status, _, value = nodes[0].request("GET", f"/api/objects/{LIST}")
    assert status == 200 and len(value["links"]["items"]) == 3 + LOST, "a forked node reads its own history"
    together(Node.stop, nodes)
    assert [node.fork() for node in nodes] == [min(commits), None, None]
    assert {position: positions(nodes[0]).get(position) for position in commits} == commits, "the acknowledged commits stay in the fork"
    saved = tmp_path / "saved"
    nodes[0].start()
    with pytest.raises(CommandError, match="open"):
        command("replication", nodes[0].store.path, "--resolve", "keep-stream", "--save", saved)
    nodes[0].stop()
    assert not saved.exists(), "nothing was removed, so nothing is kept beside"
    command("replication", nodes[0].store.path, "--resolve", "keep-stream", "--save", saved)
    text = saved.read_text()
    assert all(commit in text for commit in commits.values()), "the file has the commits that are given up"
    nodes[0].start()
    append(nodes[0], 1)
    together(Node.start, nodes[1:])
    wait_for(lambda: len({node.mark() for node in nodes}) == 1, 60, "all nodes have the head")
    together(Node.stop, nodes)
    assert [node.fork() for node in nodes] == [None, None, None]
    assert positions(nodes[0]) == positions(nodes[1]) == positions(nodes[2])
    assert all(node.faults() == [] for node in nodes)
