"""Three nodes keep one history while faults drawn from a seed hit servers, nodes and links."""

import os
import time

import pytest

from faultrun import FaultRun

RUNS = int(os.environ.get("DAYBOOK_CLUSTER_RUNS", "20"))
MINUTES = float(os.environ.get("DAYBOOK_CLUSTER_MINUTES", "0"))


def run(cluster, seed, **options):
    """Carries out one run, prints its report and returns it; the stores and the stream of a run that failed are kept."""
    fault_run = FaultRun(cluster, seed, **options)
    report = fault_run.run()
    print(report, flush=True)
    if not report.findings and "DAYBOOK_CLUSTER_DIRECTORY" not in os.environ:
        fault_run.discard()
    return report


def test_nodes_agree_after_faults(cluster, seed, capsys):
    """Runs consecutive seeds, so that each kind of fault comes first in one of thirteen runs."""
    end = time.monotonic() + MINUTES * 60 if MINUTES else float("inf")
    reports = []
    for number in range(seed, seed + RUNS):
        if time.monotonic() > end:
            break
        with capsys.disabled():
            reports.append(run(cluster, number))
    failed = [report for report in reports if report.findings]
    with capsys.disabled():
        print(
            f"{len(reports)} of {RUNS} runs, {len(failed)} failed, {sum(len(report.forks) for report in reports)} forked nodes, "
            f"{sum(len(report.server_faults) for report in reports)} faults of the servers"
        )
    assert reports
    assert not failed, "\n".join([*map(str, failed), f"stores and logs: {cluster.directory}"])


@pytest.mark.parametrize("kinds", [{"write": 1, "swap": 1}, {"append": 1}], ids=["register", "append-list"])
def test_writes_are_linearizable(cluster, seed, kinds):
    """All writers write to the same object; `checker` derives the order from the values, and compares with real time."""
    report = run(cluster, seed, seconds=4, kinds=kinds)
    assert not report.findings, f"{report}\nstores and logs: {cluster.directory}"
    assert report.outcomes["acknowledged"] > 20
