"""Three nodes keep one history while faults drawn from a seed hit servers, nodes and links."""
import os
import time

import pytest

from faultrun import FaultRun

RUNS = int(os.environ.get("DAYBOOK_CLUSTER_RUNS", "20"))
MINUTES = float(os.environ.get("DAYBOOK_CLUSTER_MINUTES", "0"))


def run(cluster, seed, **options):
    """Carries out one run and prints its report; fails with the report if it found anything."""
    fault_run = FaultRun(cluster, seed, **options)
    report = fault_run.run()
    print(report, flush=True)
    assert not report.findings, f"{report}\nstores and logs: {cluster.directory}"
    if "DAYBOOK_CLUSTER_DIRECTORY" not in os.environ:
        fault_run.discard()
    return report


def test_nodes_agree_after_faults(cluster, seed, capsys):
    """Runs consecutive seeds, so that each kind of fault comes first in one of thirteen runs."""
    end = time.monotonic() + MINUTES * 60 if MINUTES else float("inf")
    done, forks, server_faults = 0, 0, 0
    for number in range(seed, seed + RUNS):
        if time.monotonic() > end:
            break
        with capsys.disabled():
            report = run(cluster, number)
        done += 1
        forks += len(report.forks)
        server_faults += len(report.server_faults)
    with capsys.disabled():
        print(f"{done} of {RUNS} runs, {forks} forked nodes, {server_faults} faults of the servers")
    assert done > 0


@pytest.mark.parametrize("kinds", [{"write": 1, "swap": 1}, {"append": 1}], ids=["register", "append-list"])
def test_writes_are_linearizable(cluster, seed, kinds):
    """All writers write to the same object; `checker` derives the order from the values, and compares with real time."""
    report = run(cluster, seed, seconds=4, kinds=kinds)
    assert report.outcomes["acknowledged"] > 20
