"""The fault run accepts a plain correct node, and finds each defect that is planted in it."""

import pathlib

import pytest

import daybook
import nodes
from faultrun import FaultRun

PLAIN_NODE = str(pathlib.Path(__file__).with_name("plain_node.py"))


@pytest.fixture
def plain_node(monkeypatch):
    for module in (daybook, nodes):
        monkeypatch.setattr(module, "BINARY", PLAIN_NODE)


def run(cluster, seed, **options):
    report = FaultRun(cluster, seed, **options).run()
    print(report)
    return " ".join(report.findings)


def test_a_correct_node_passes_with_faults(cluster, plain_node, seed):
    assert run(cluster, seed) == ""


@pytest.mark.parametrize(
    "defect, kinds",
    [("early", ["lost:", "orders:"]), ("blind", ["lost:", "orders:"]), ("forgetful", ["doubled:"]), ("skipping", ["commits1 got"]), ("behind", ["orders:"])],
)
def test_a_planted_defect_is_found(cluster, plain_node, monkeypatch, seed, defect, kinds):
    monkeypatch.setenv("PLAIN_NODE_DEFECT", defect)
    found = run(cluster, seed, seconds=2, has_faults=False, settling=3)
    assert any(kind in found for kind in kinds), found
