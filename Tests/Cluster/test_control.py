"""`Tools/cluster` starts a cluster, makes it fail by command, and ends all that it started."""

import os
import shutil
import subprocess
import tempfile

import pytest

from daybook import ROOT


def processes():
    """Returns the ids of all processes whose command names the directory of the test."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                found.append((int(name), file.read().decode(errors="replace")))
        except OSError:
            continue
    return found


@pytest.fixture
def tool():
    # The path of a local socket has at most 107 bytes, so the directory of the test is not taken.
    directory = tempfile.mkdtemp(prefix="daybook-cluster-")
    environment = {**os.environ, "DAYBOOK_CLUSTER_DIRECTORY": directory, "DAYBOOK_SKIP_SETUP": "1"}

    def run(*words):
        return subprocess.run([ROOT / "Tools/cluster", *words], capture_output=True, text=True, timeout=200, env=environment, check=False)

    run.directory = directory
    yield run
    run("end")
    shutil.rmtree(directory, ignore_errors=True)


def test_a_cluster_is_started_broken_healed_and_ended(tool):
    started = tool("start")
    assert started.returncode == 0, started.stderr
    assert started.stdout.count("http://127.0.0.1:") == 3
    assert "running, leader of the stream" in tool("status").stdout
    assert "server 2  ended" in tool("kill-server", "2").stdout
    assert "node 1    held" in tool("stop-node", "1").stdout
    assert "link s1 s3  cut" in tool("cut", "1", "3").stdout
    refused = tool("cut", "9")
    assert refused.returncode == 1 and "no link of 9" in refused.stderr
    healed = tool("heal").stdout
    assert healed.count("running") == 6 and "cut" not in healed and "held" not in healed
    again = tool("start")
    assert again.returncode == 1 and "runs already" in again.stderr
    assert tool("end").stdout == "ended\n"
    assert [command for _, command in processes() if tool.directory in command] == []
    assert tool("status").returncode == 1
