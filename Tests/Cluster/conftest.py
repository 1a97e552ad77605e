"""Clusters that the tests share."""

import os
import pathlib
import random
import tempfile

import pytest

from cluster import Cluster

SEED = int(os.environ.get("DAYBOOK_SEED", random.randrange(1 << 32)))


@pytest.fixture(scope="session")
def shared_cluster(tmp_path_factory):
    """Three servers for all tests; each test makes a stream and nodes of its own."""
    kept = os.environ.get("DAYBOOK_CLUSTER_DIRECTORY")
    if kept:
        pathlib.Path(kept).mkdir(parents=True, exist_ok=True)
    directory = tempfile.mkdtemp(prefix="cluster-", dir=kept) if kept else tmp_path_factory.mktemp("cluster")
    cluster = Cluster(directory)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture
def cluster(shared_cluster):
    """The servers without faults of an earlier test."""
    shared_cluster.links.heal()
    shared_cluster.servers.heal()
    shared_cluster.servers.wait_until_ready()
    yield shared_cluster
    shared_cluster.stop_nodes()
    shared_cluster.nodes = []


@pytest.fixture
def seed():
    """The seed of the environment, or a new one, which a failure prints."""
    print(f"\nDAYBOOK_SEED={SEED}")
    return SEED
