"""The description in OpenAPI is valid, and the server does what it says."""
import os
import pathlib
import subprocess
import sys
import tempfile

import requests
from openapi_spec_validator import validate

EXAMPLES = os.environ.get("DAYBOOK_HTTP_EXAMPLES", "25")
STREAMS = r"stream|/api/changes"
# A filter, a sort key and the like are texts with a grammar, which a JSON schema does not describe.
GRAMMARS = r"fetch|diff|changes|stream|commits|objects|login|revert|undo|redo"


def schemathesis(server, *options):
    # It keeps a cache in its working directory.
    directory = tempfile.mkdtemp()
    command = pathlib.Path(sys.executable).absolute().with_name("schemathesis")
    result = subprocess.run(
        [command, "run", f"{server.address}/openapi.json", "--exclude-path-regex", STREAMS, "-n", EXAMPLES, "--no-color",
         "--generation-database", "none", *options], cwd=directory, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def test_the_description_is_valid(reader):
    validate(requests.get(f"{reader.address}/openapi.json", timeout=10).json())


def test_a_server_that_reads_does_what_it_describes(reader):
    schemathesis(reader, "--exclude-checks", "positive_data_acceptance")


def test_a_server_that_writes_does_what_it_describes(writer):
    schemathesis(writer, "--exclude-checks", "positive_data_acceptance", "-H", f"Authorization: Bearer {writer.token}")
    assert requests.get(f"{writer.address}/health/ready", timeout=10).json()["status"] == "ready"


def test_what_fits_the_description_is_accepted(reader):
    schemathesis(reader, "--exclude-path-regex", GRAMMARS, "--checks", "positive_data_acceptance")


def test_prometheus_reads_the_metrics(writer):
    writer.store.apply({"insert": "RecipeType", "values": {"name": "Stew"}})
    requests.get(f"{writer.address}/api/fetch/Recipe", timeout=10)
    assert requests.get(f"{writer.address}/api/fetch/Nothing", timeout=10).status_code == 404
    text = requests.get(f"{writer.address}/metrics", timeout=10).text
    result = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, check=False)
    assert result.returncode == 0 and not result.stderr, result.stdout + result.stderr
    for name in ["daybook_commits_total", "daybook_flush_seconds_bucket", "daybook_readers", "daybook_map_used_bytes",
                 "daybook_file_bytes", "hb_requests_total", "daybook_streams", "daybook_projection_lag_commits"]:
        assert f"\n{name}" in text, name
    errors = [line for line in text.split("\n") if line.startswith("hb_request_errors_total{")]
    assert any('error.type="404"' in line or 'error_type="404"' in line for line in errors) and not any('"200"' in line for line in errors), errors
