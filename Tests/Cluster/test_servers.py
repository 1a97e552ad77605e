"""The servers, their links and the observer do what the fault runs rely on."""

import contextlib
import socket
import time
import uuid

import pytest

from faults import Truncation
from links import Links
from natsclient import Connection, NatsError
from nodes import wait_for
from observer import Observer, differing_replicas, replica
from ports import free_port


class Stream:
    """A stream of its own for a test, written past the links."""

    def __init__(self, servers):
        self.servers = servers
        self.name = f"S{uuid.uuid4().hex[:8]}"
        servers.wait_until_placing()
        with Connection(servers.ports) as connection:
            connection.api(f"STREAM.CREATE.{self.name}", {"name": self.name, "subjects": [f"{self.name}.>"], "num_replicas": 3, "storage": "file"}, seconds=10)

    def publish(self, count, ports=None):
        with Connection(ports or self.servers.ports) as connection:
            return [connection.publish(f"{self.name}.a", f"message {number}".encode(), {"Number": number})["seq"] for number in range(count)]

    @property
    def last_sequence(self):
        with Connection(self.servers.ports) as connection:
            return connection.api(f"STREAM.INFO.{self.name}")["state"]["last_seq"]


@pytest.fixture
def stream(cluster):
    return Stream(cluster.servers)


@pytest.fixture
def observer(cluster, stream):
    observer = Observer(cluster.servers, stream.name)
    observer.start()
    yield observer
    observer.end()
    observer.join(10)


def test_a_wrong_expected_sequence_is_refused_with_its_code(stream):
    with Connection(stream.servers.ports) as connection:
        connection.publish(f"{stream.name}.a", b"first", {"Nats-Expected-Last-Sequence": 0})
        with pytest.raises(NatsError) as refusal:
            connection.publish(f"{stream.name}.a", b"second", {"Nats-Expected-Last-Sequence": 7})
        assert refusal.value.code == 10071
        assert connection.message(stream.name, 1)[1] == b"first" and connection.message(stream.name, 2) is None


def test_a_server_whose_links_are_cut_cannot_write_and_the_others_can(cluster, stream):
    for silent in (False, True):
        cluster.links.apply(cluster.links.named("s1"), cut=not silent, silent=silent)
        with pytest.raises(NatsError):
            stream.publish(1, [cluster.servers[1].client_port])
        wait_for(lambda: answers(stream, cluster.servers[2]), 30, "the other two write")
        cluster.links.heal()
        wait_for(lambda: answers(stream, cluster.servers[1]), 30, "the first one writes again")


def answers(stream, server):
    try:
        return stream.publish(1, [server.client_port])
    except NatsError:
        return None


def test_a_connection_that_one_end_resets_ends_at_the_other():
    links = Links()
    try:
        with socket.create_server(("127.0.0.1", free_port())) as server:
            link = links.add("link", free_port(), server.getsockname()[1])
            with socket.create_connection(("127.0.0.1", link.port), 10) as client:
                end, _ = server.accept()
                client.sendall(b"not read")
                wait_for(lambda: end.recv(1, socket.MSG_PEEK), 10, "the bytes are there")
                end.close()
                with contextlib.suppress(ConnectionResetError):
                    assert client.recv(1) == b""
    finally:
        links.close()


def test_a_delayed_link_delays(cluster):
    link = cluster.links["n1", "s1"]

    def round_trip():
        with Connection([link.port]) as connection:
            begun = time.monotonic()
            connection.api("INFO")
            return time.monotonic() - begun

    assert round_trip() < 0.3
    cluster.links.apply([link], delay=0.2)
    assert round_trip() >= 0.4


def test_copies_on_disk_are_read_and_compared(cluster, stream):
    stream.publish(20)
    wait_for(lambda: cluster.servers.stream_is_whole(stream.name), 30, "all replicas are there")
    assert differing_replicas(cluster.servers, stream.name) == []
    assert sorted(replica(cluster.servers[1], stream.name)) == list(range(1, 21))
    block = cluster.servers[2].data / "jetstream" / "$G" / "streams" / stream.name / "msgs" / "1.blk"
    block.write_bytes(block.read_bytes().replace(b"message 7", b"message X"))
    assert differing_replicas(cluster.servers, stream.name, seconds=0) == [
        "the replicas differ at 1 sequences, the first one 8: s1 has 20, s2 has 20, s3 has 20"
    ]


def test_a_message_that_is_deleted_is_known_to_the_observer(cluster, stream, observer):
    stream.publish(10)
    wait_for(lambda: len(observer.seen) == 10, 10, "the observer has seen all")
    assert observer.findings() == []
    with Connection(cluster.servers.ports) as connection:
        connection.api(f"STREAM.MSG.DELETE.{stream.name}", {"seq": 4})
    assert observer.findings() == ["the stream lost 1 messages, the first one 4"]


def test_a_truncation_loses_what_was_acknowledged_in_between(cluster, stream, observer):
    stream.publish(5)
    truncation = Truncation(cluster.servers)
    truncation.begin()
    stream.publish(5)
    wait_for(lambda: len(observer.seen) == 10, 10, "the observer has seen all")
    truncation.end()
    cluster.servers.wait_until_ready()
    wait_for(lambda: cluster.servers.stream_is_whole(stream.name), 60, "all replicas are there")
    assert stream.last_sequence == 5
    assert observer.findings() == ["the stream lost 5 messages, the first one 6"]
    assert wait_for(lambda: answers(stream, cluster.servers[1]), 30, "the stream takes messages") == [6]


def test_a_server_with_an_empty_disk_gets_its_copy_back(cluster, stream):
    stream.publish(10)
    server = cluster.servers[3]
    server.kill()
    server.empty()
    server.start()
    cluster.servers.wait_until_ready()
    wait_for(lambda: cluster.servers.stream_is_whole(stream.name) and len(replica(server, stream.name)) == 10, 60, "the copy is whole")
    assert differing_replicas(cluster.servers, stream.name) == []
