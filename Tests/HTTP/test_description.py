"""The description in OpenAPI is valid, and the server does what it says."""

import os
import pathlib
import subprocess
import sys
import tempfile

import requests
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

EXAMPLES = os.environ.get("DAYBOOK_HTTP_EXAMPLES", "25")
STREAMS = r"stream|/api/changes"
# A filter, a sort key and the like are texts with a grammar, which a JSON schema does not describe; and it does not know the store, which has
# the entities, objects and positions that a line, a tree or a revert may name: a part of an identity may be a part of several.
GRAMMARS = r"fetch|diff|changes|stream|commits|objects|tree|login|revert|import"


def schemathesis(server, *options):
    # It keeps a cache in its working directory.
    directory = tempfile.mkdtemp()
    command = pathlib.Path(sys.executable).absolute().with_name("schemathesis")
    result = subprocess.run(
        [
            command,
            "run",
            f"{server.address}/openapi.json",
            "--exclude-path-regex",
            STREAMS,
            "-n",
            EXAMPLES,
            "--no-color",
            "--generation-database",
            "none",
            *options,
        ],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout


def test_the_description_is_valid(reader):
    validate(requests.get(f"{reader.address}/openapi.json", timeout=10).json())


def test_a_server_that_reads_does_what_it_describes(reader):
    schemathesis(reader, "--exclude-checks", "positive_data_acceptance")


def test_a_server_that_writes_does_what_it_describes(writer):
    schemathesis(writer, "--exclude-checks", "positive_data_acceptance", "-H", f"Authorization: Bearer {writer.token}")
    assert requests.get(f"{writer.address}/health/ready", timeout=10).json()["status"] == "ready"


def test_what_fits_the_description_is_accepted(writer):
    schemathesis(writer, "--exclude-path-regex", GRAMMARS, "--checks", "positive_data_acceptance", "-H", f"Authorization: Bearer {writer.token}")


def test_a_line_fits_the_description_if_it_can_be_read(writer):
    description = requests.get(f"{writer.address}/openapi.json", timeout=10).json()
    line = Draft202012Validator({"$ref": "#/components/schemas/Line", "components": description["components"]})
    # A delete touches all objects that the recipe is related to, so that a tag would not do.
    recipe, untouched = (row["id"] for row in writer.store.objects("Recipe")[:2])
    tag = writer.store.objects("Tag")[0]["id"]
    link = {"relationship": "tags", "to": tag}
    insert = {"insert": "Tag", "as": "$it", "values": {"name": "new"}}
    accepted = [
        insert,
        insert | {"id": "0190163d-8694-739b-aea5-966c26f8ad91", "as": None, "values": {"name": "other"}},
        {"insert": "Recipe", "values": {"name": "Soup"}, "relate": {"tags": [tag], "type": None}},
        {"upsert": "Recipe", "key": ["name"], "as": "$soup", "values": {"name": "Soup", "servings": 9}, "relate": {"tags": [tag]}},
        {"rename": recipe, "to": "Cake"},
        {"set": recipe, "values": {"servings": 5}},
        {"set": recipe},
        {"relate": recipe} | link,
        {"unrelate": recipe} | link,
        {"delete": recipe, "message": "away", "happenedAt": "2026-01-02T03:04:05Z", "metadata": {"a": 1}, "causation": 1, "correlation": "x"},
        {
            "commit": [{"insert": "Tag", "as": "$a", "values": {"name": "a"}}, {"rename": "$a", "to": "b"}],
            "when": {"untouched": untouched, "since": writer.store.head},
        },
        {"commit": []},
    ]
    refused = [
        {},
        [],
        {"values": {}},
        {"message": "nothing"},
        {"insert": None},
        {"insert": "Tag", "as": "it"},
        {"insert": "Tag", "id": 7},
        {"insert": "Tag", "values": []},
        {"upsert": "Recipe", "values": {"name": "Soup"}},
        {"upsert": "Recipe", "key": "name", "values": {"name": "Soup"}},
        {"upsert": "Recipe", "key": ["name"], "values": {"name": "Soup"}, "id": "0190163d-8694-739b-aea5-966c26f8ad91"},
        {"rename": tag},
        {"set": tag, "to": "x"},
        {"delete": 7},
        {"record": "Cooked"},
        {"relate": recipe, "to": tag},
        {"unrelate": recipe} | link | {"before": tag},
        {"relate": recipe} | link | {"before": tag, "after": tag},
        {"commit": {}},
        {"commit": [{}]},
        {"commit": [{"commit": []}]},
        {"delete": tag, "colour": "red"},
        {"delete": tag, "metadata": []},
        {"delete": tag, "when": 7},
        {"delete": tag, "message": 7},
    ]
    for bodies, statuses in [(accepted, {200, 201}), (refused, {400})]:
        for body in bodies:
            answer = requests.post(f"{writer.address}/api/commits", json=body, headers={"Authorization": f"Bearer {writer.token}"}, timeout=10)
            assert answer.status_code in statuses, (body, answer.text)
            assert line.is_valid(body) == (bodies is accepted), body


def test_prometheus_reads_the_metrics(writer):
    writer.store.apply({"insert": "RecipeType", "values": {"name": "Stew"}})
    requests.get(f"{writer.address}/api/fetch/Recipe", timeout=10)
    assert requests.get(f"{writer.address}/api/fetch/Nothing", timeout=10).status_code == 404
    text = requests.get(f"{writer.address}/metrics", timeout=10).text
    result = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, check=False)
    assert result.returncode == 0 and not result.stderr, result.stdout + result.stderr
    for name in [
        "daybook_commits_total",
        "daybook_flush_seconds_bucket",
        "daybook_readers",
        "daybook_map_used_bytes",
        "daybook_file_bytes",
        "hb_requests_total",
        "daybook_streams",
        "daybook_projection_lag_commits",
    ]:
        assert f"\n{name}" in text, name
    errors = [line for line in text.split("\n") if line.startswith("hb_request_errors_total{")]
    assert any('error.type="404"' in line or 'error_type="404"' in line for line in errors) and not any('"200"' in line for line in errors), errors
