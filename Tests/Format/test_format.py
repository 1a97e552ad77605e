"""docs/file-format.md describes every byte: a decoder that was written from the page reproduces what the command prints."""

import faulthandler
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from journal import Journal
from lmdbfile import LMDBFile
from projections import Fold, Projections
from stores import BINARY, Store, chunk_sizes, every_kind, hierarchy, identity, kept_groups, many_objects, mutual_links, one_way_links, run, sums_of_doubles

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))


def journal_of(store):
    return Journal(f"{store.path}/journal/data.mdb")


class FormatTests(unittest.TestCase):
    maxDiff = 4_000

    def setUp(self):
        # A test that waits is ended, with its traceback.
        faulthandler.dump_traceback_later(1_200, exit=True)
        self.addCleanup(faulthandler.cancel_dump_traceback_later)
        self.directory = tempfile.mkdtemp(prefix="daybook-format-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def compare(self, store):
        """Compares commits, large values and rows, and returns the journal."""
        journal = journal_of(store)
        commits, values = store.exported()
        lines = list(journal.lines())
        self.assertEqual(len(lines), len(commits))
        for line, commit in zip(lines, commits, strict=True):
            # The order of the members is a part of it.
            self.assertEqual(json.dumps(line), json.dumps(commit))
        self.assertEqual({digest.hex(): value for digest, value in journal.large_values.items()}, values)
        for line, logged in zip(lines, store.logged(), strict=True):
            if "events" in line:
                self.assertEqual([{key: value for key, value in event.items() if key != "former"} for event in line["events"]], logged["events"])
        Projections(f"{store.path}/projections/data.mdb").compare(Fold(journal))
        return journal

    def test_every_kind_of_commit_and_event(self):
        store = every_kind(self.directory)
        journal = self.compare(store)
        self.assertEqual(journal.format, [5, 4])
        events = [event for commit in journal.commits if not commit.is_model for event in commit.events]
        self.assertEqual({event.kind for event in events}, {"inserted", "renamed", "set", "related", "unrelated", "deleted", "recorded"})
        forms = {form for event in events for _, (form, _) in event.fields} | {form for event in events for _, *sides in event.pairs for form, _ in sides}
        # An explicit null is where a missing field would be the default of an attribute that was added later.
        self.assertEqual(forms, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15})
        reasons = {key for commit in journal.commits for key in commit.reasons}
        self.assertEqual(reasons, {"metadata", "causation", "correlation", "undoes", "redoes"})
        self.assertEqual({commit.version for commit in journal.commits}, {1, 2})
        # A projection of users, which the command has.
        run("activity", store.path)
        journal = self.compare(store)
        projections = Projections(f"{store.path}/projections/data.mdb")
        live = projections.user_record("activity")[1]
        self.assertEqual((live["version"], live["checkpoint"], live["left out"], live["unknown events"]), (2, len(journal.commits), 0, 0))
        objects = projections.derived_objects("activity", live)
        commits = [commit for commit in journal.commits if not commit.is_model]
        self.assertEqual({author["name"] for author in objects["@ActivityAuthor"]}, {commit.author for commit in commits if commit.author})
        whole = [day for day in objects["@ActivityDay"] if "entityTag" not in day]
        self.assertEqual(sum(day["commits"] for day in whole), len(commits))
        self.assertEqual(sum(day["events"] for day in whole), sum(len(commit.events) for commit in commits))
        self.assertIn("projection activity", journal.meta)
        # Rebuilt rows are the same.
        run("rebuild", store.path)
        self.compare(store)

    def test_commits_are_cut_into_chunks(self):
        store = chunk_sizes(self.directory)
        sizes = {}
        for key, value in LMDBFile(f"{store.path}/journal/data.mdb").rows("journal"):
            sizes.setdefault(int.from_bytes(key[:8], "big"), []).append(len(value))
        self.assertIn([1 << 20, 0], sizes.values())
        self.assertIn([(1 << 20) - 1], sizes.values())
        self.assertEqual(len(sizes[5]), 3)
        self.compare(store)

    def test_indexes_and_counts_of_many_objects(self):
        store = many_objects(self.directory)
        self.compare(store)
        levels = {key[0] for key in Projections(f"{store.path}/projections/data.mdb").rows("counts.1")}
        self.assertGreaterEqual(len(levels), 2)

    def test_sums_of_doubles_are_rounded_once(self):
        store, numbers = sums_of_doubles(self.directory)
        # The stored sums are compared with `math.fsum`.
        self.compare(store)
        run("rebuild", store.path)
        self.compare(store)
        totals = {item["id"]: item["values"]["total"] for item in store.objects("Item")}
        self.assertEqual(totals, {item: math.fsum(sizes) for item, sizes in numbers.items()})
        for item, sizes in numbers.items():
            conditions = [f"parts.@sum.size == {math.fsum(sizes)!r}"]
            if sizes:
                average = sum(map(Fraction, sizes)) / len(sizes)
                # The quotient of integers is rounded once.
                conditions.append(f"parts.@avg.size == {average.numerator / average.denominator!r}")
            found = run("fetch", store.path, "Item", "--where", " AND ".join(conditions), "--jsonl")
            self.assertIn(item, {json.loads(line)["id"] for line in found.splitlines()})

    def test_rows_of_declared_groups(self):
        store = kept_groups(self.directory)
        self.assertEqual(self.compare(store).format, [5, 4])
        run("rebuild", store.path)
        self.compare(store)
        projections = Projections(f"{store.path}/projections/data.mdb")
        rows = projections.rows(f"links.{projections.state['generations'][1]}")
        # Some sums of integers have no value, and some values are longer than a key.
        self.assertGreater(sum(len(value) == 1 for value in rows.values()), 0)
        self.assertGreater(sum(len(key) == 2 + 16 + 1 + 400 + 16 for key in rows), 0)
        plan = run("fetch", store.path, "Sale", "--group", "shop.name", "--show", "count, distinct:photo", "--explain")
        self.assertTrue(plan.startswith("groups Sale.byShop: "), plan)

    def test_one_way_relationships(self):
        store, named = one_way_links(self.directory)
        self.assertEqual(self.compare(store).format, [6, 6])
        run("rebuild", store.path)
        self.compare(store)
        page = json.loads(run("get", store.path, identity(1), "--json"))
        self.assertEqual(page.get("links", {}), {})
        store.change_model(named)
        self.compare(store)
        page = json.loads(run("get", store.path, identity(1), "--json"))
        self.assertEqual(sorted(page["links"]["documents"]), sorted([identity(10), identity(11)]))

    def test_hierarchies(self):
        store, deeper = hierarchy(self.directory)
        self.assertEqual(self.compare(store).format, [7, 7])
        run("rebuild", store.path)
        self.compare(store)
        store.change_model(deeper)
        self.compare(store)
        self.assertEqual(run("count", store.path, "Thing").strip(), "4")
        store.apply({"insert": "Bus", "id": identity(9), "values": {"note": "new"}}, {"set": identity(3), "values": {"note": "old"}})
        self.compare(store)
        run("rebuild", store.path)
        self.compare(store)

    def test_relationships_that_are_their_own_inverses(self):
        store, renamed = mutual_links(self.directory)
        self.assertEqual(self.compare(store).format, [8, 8])
        run("rebuild", store.path)
        self.compare(store)
        person = json.loads(run("get", store.path, identity(4), "--json"))
        self.assertEqual(person["links"], {"friends": [identity(4)], "partner": identity(1), "rivals": []})
        store.change_model(renamed)
        self.compare(store)
        store.apply({"relate": identity(6), "relationship": "mates", "to": identity(5)})
        self.compare(store)
        run("rebuild", store.path)
        self.compare(store)

    def test_a_first_store_has_version_1(self):
        store = Store.make(os.path.join(self.directory, "plain"), {"entities": [{"name": "Note", "attributes": [{"name": "text", "type": "string"}]}]})
        store.apply({"insert": "Note", "values": {"text": "plain"}})
        self.assertEqual(self.compare(store).format, [1, 1])

    def test_this_history(self):
        if subprocess.run(["git", "-C", ROOT, "rev-parse", "--quiet", "--verify", "HEAD"], capture_output=True, timeout=60, check=False).returncode:
            self.skipTest("there is no git history")
        store = Store(os.path.join(self.directory, "git"))
        run("import", "git", store.path, ROOT)
        self.compare(store)

    def test_each_changed_byte_of_a_commit_is_noticed(self):
        store = Store.make(os.path.join(self.directory, "damaged"))
        store.apply({"insert": "Tag", "values": {"name": "one"}, "author": "ben"}, {"insert": "Tag", "values": {"name": "two"}})
        path = f"{store.path}/journal/data.mdb"
        with open(path, "rb") as file:
            data = file.read()
        for _, start, size in list(LMDBFile(path).places("journal"))[1:]:
            for place in range(start, start + size):
                changed = bytearray(data)
                changed[place] ^= 1 << random.randrange(8)
                with open(path, "wb") as file:
                    file.write(changed)
                with self.assertRaises((AssertionError, ValueError, KeyError, OverflowError), msg=f"byte {place - start} of {size}"):
                    list(journal_of(store).lines())


if __name__ == "__main__":
    print(f"binary: {BINARY}")
    unittest.main()
