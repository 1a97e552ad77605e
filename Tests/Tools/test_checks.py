"""The checks of Tools find what they check for, and Tools/run-tests ends a run that hangs."""

import importlib.machinery
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

from limited import LimitedTestCase

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


def tool(name, *arguments, **options):
    return subprocess.run([os.path.join(ROOT, "Tools", name), *arguments], capture_output=True, text=True, timeout=120, check=False, **options)


def module(name):
    """Returns a script of Tools as a module."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), os.path.join(ROOT, "Tools", name))
    result = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(result)
    return result


class InterfaceTests(LimitedTestCase):
    """`Tools/count-interface`."""

    def counts(self, *symbols):
        """Runs the script on a graph of structs, each with its documentation."""
        with tempfile.TemporaryDirectory() as directory:
            graph = {
                "symbols": [
                    {"identifier": {"precise": name}, "kind": {"identifier": "swift.struct"}, "pathComponents": [name], "docComment": {"lines": lines}}
                    for name, lines in symbols
                ]
            }
            with open(os.path.join(directory, "Daybook.symbols.json"), "w", encoding="utf-8") as file:
                json.dump(graph, file)
            return tool("count-interface", "--graph", directory)

    def test_a_documented_type_of_a_list_is_counted(self):
        result = self.counts(("Store", ["An object store."]), ("Model", ["A model."]))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("2 types (2 outer ones), 2 declarations", result.stdout)

    def test_a_type_without_documentation_is_found(self):
        result = self.counts(("Store", []), ("Model", ["A model."]))
        self.assertEqual(result.returncode, 1)
        self.assertIn("without documentation: Store", result.stdout)

    def test_a_type_in_no_list_is_found(self):
        result = self.counts(("Unlisted", ["A type."]))
        self.assertEqual(result.returncode, 1)
        self.assertIn("in no list: Unlisted", result.stdout)


class PipeTests(LimitedTestCase):
    """`Tools/check-pipes`."""

    def faults(self, text, first="#!/usr/bin/env bash\nset -euo pipefail\n"):
        return len(list(module("check-pipes").faults(first + text + "\n")))

    def test_readers_that_leave_early_are_found(self):
        for reader in (
            "head -n 5",
            "head",
            "/usr/bin/head -c 10",
            "grep -q x",
            "grep -Eq x",
            "grep -E -q x",
            "LC_ALL=C grep -m 1 x",
            "grep --quiet x",
            "grep -l x",
            "sed q",
            "sed 5q",
            "sed -n '/x/{p;q}'",
            "sed -ne '/x/p' -e '/y/q'",
            "awk '{ print; exit }'",
            "awk 'NR == 1 { print; exit 0 }'",
            "read -r line",
            "{ read -r line; }",
            "true",
        ):
            for statement in (
                f"yes | {reader}",
                f"x=$(yes | {reader})",
                f'echo "$(yes | {reader})"',
                f"if yes |\n    {reader}; then echo; fi",
                f"yes |& {reader} | cat",
            ):
                if '"' in statement and "'" in reader and "{" in reader:
                    continue
                self.assertEqual(self.faults(statement), 1, statement)

    def test_readers_that_read_to_the_end_pass(self):
        for statement in (
            "yes | awk 'NR <= 5'",
            "yes | awk '{ n++ } END { exit n > 3 }'",
            "yes | grep -c x",
            "yes | sed -n 's/q/x/p'",
            "yes | sed 's/a/q;/'",
            "yes | while read -r line; do echo; done",
            "grep -q x file",
            "head -n 5 file",
            "yes || head -n 5 file",
            "echo '| head'",
            "# yes | head",
            "yes | sort --quiet",
            "cat <<END\nyes | head\nEND",
            "yes | head -n 1  # ends early: the writer is a test's",
        ):
            self.assertEqual(self.faults(statement), 0, statement)

    def test_scripts_without_pipefail_pass(self):
        self.assertEqual(self.faults("yes | head", "#!/bin/bash\nset -eu\n"), 0)


class DocumentTests(LimitedTestCase):
    """`Tools/check-documents`."""

    LONG = "word " * 30

    def long_lines(self, text):
        return list(module("check-documents").long_lines(text.split("\n")))

    def shared(self, **documents):
        names = {"readme": "README.md", "article": "Sources/A/A.docc/Article.md", "other": "Sources/A/A.docc/Other.md", "page": "docs/page.md"}
        return [place[:4] for place in module("check-documents").shared_runs({names[name]: text.split("\n") for name, text in documents.items()})]

    def broken(self, text, file="docs/page.md", files=()):
        documents = {file: text.split("\n"), "docs/other.md": ["# A heading of `it`, that's 1", "```", "# No heading", "```"]}
        return [target for _, _, target in module("check-documents").broken_links(documents, {*documents, *files})]

    def test_long_lines_of_prose_are_found(self):
        for text, number in (
            (self.LONG, 1),
            (f"- {self.LONG}", 1),
            (f"1. Short.\n   {self.LONG}", 2),
            (f"Short.\n{self.LONG}\nshort.", 2),
            (f"```\ncode\n```\n{self.LONG}", 4),
            (f"    code\n\n- Item.\n\n    {self.LONG}", 5),
            (f"`code` {'x' * 120}", 1),
        ):
            self.assertEqual(self.long_lines(text), [number], text)

    def test_what_cannot_be_broken_may_be_long(self):
        for text in (
            "x" * 120,
            "word " * 23 + "words",
            f"| {self.LONG} |",
            f"```\n{self.LONG}\n```",
            f"~~~ text\n{self.LONG}\n```\n{self.LONG}\n~~~",
            f"Text.\n\n    {self.LONG}\n\n    {self.LONG}",
            f"`{self.LONG}`",
            f"- `{self.LONG}`,",
            f"[link](https://example.com/{'x' * 120})",
        ):
            self.assertEqual(self.long_lines(text), [], text)

    def test_long_paragraphs_are_wrapped_and_the_rest_stays(self):
        wrapped = module("check-documents").wrapped
        short = ["Short", "lines.", "", "| " + self.LONG + "|", "", "```", self.LONG, "```"]
        self.assertEqual(wrapped(short), short)
        words = self.LONG.split()
        self.assertEqual(wrapped(["- " + self.LONG, "  end", "- next"]), ["- " + " ".join(words[:23]), "  " + " ".join([*words[23:], "end"]), "- next"])
        # No line begins with what would be a list, and no code is broken.
        for text in ("x" * 117 + " - word", "x" * 115 + " `a long piece of code`", "x" * 118 + " 1. word"):
            lines = wrapped([text])
            self.assertEqual(" ".join(lines), text)
            self.assertFalse(any(line.startswith(("-", "1.")) or line.count("`") == 1 for line in lines), lines)
        self.assertEqual(wrapped(wrapped(["- " + self.LONG])), wrapped(["- " + self.LONG]))

    def test_runs_of_words_in_two_trees_are_found(self):
        run = " ".join(f"word{number}" for number in range(20))
        self.assertEqual(self.shared(readme=run, page=f"before\n{run.upper()}"), [("docs/page.md", 2, "README.md", 1)])
        self.assertEqual(len(self.shared(article=run, page=run.replace(" ", "\n"))), 1)
        self.assertEqual(len(self.shared(readme=f"```swift\n{run}\n```", article=f"| {run} |")), 1)
        self.assertEqual(len(self.shared(readme=f"{run} and {run[::-1]}", page=f"{run} and {run[::-1]}")), 1, "a longer run is one")
        self.assertEqual(len(self.shared(readme=f"{run} and {run}", page=f"{run} or {run}")), 4)
        self.assertEqual(len(self.shared(readme=f"[a](docs/b.md) {run}", page=f"[a](c.md) {run}")), 1)

    def test_shorter_runs_and_runs_in_one_tree_pass(self):
        words = [f"word{number}" for number in range(19)]
        self.assertEqual(self.shared(readme=" ".join(["a", *words, "b"]), page=" ".join(["c", *words, "d"])), [])
        run = " ".join([*words, "end"])
        self.assertEqual(self.shared(article=run, other=f"{run} {run}"), [])

    def test_links_that_lead_nowhere_are_found(self):
        for text in ("[a](gone.md)", "[a\nb](gone.md)", "![a](gone.png)", "[a](other.md#gone)", "[a](other.md#no-heading)", "[a](#gone)", "<doc:Gone>"):
            self.assertEqual(len(self.broken(text)), 1, text)
        self.assertEqual(len(self.broken("![a](gone)", "Sources/A/A.docc/Article.md")), 1)

    def test_links_that_lead_somewhere_pass(self):
        for text in (
            "[a](other.md)",
            "[a](other.md#a-heading-of-it-thats-1)",
            "[a](../README.md) [b](../docs)",
            "# Here\n[a](#here)",
            "[a](https://example.com/gone) `[a](gone.md)`",
            "```\n[a](gone.md)\n```",
            "<doc:Article>",
        ):
            self.assertEqual(self.broken(text, files=["README.md", "Sources/A/A.docc/Article.md"]), [], text)
        self.assertEqual(self.broken("![a](picture)", "Sources/A/A.docc/Article.md", ["Sources/A/A.docc/Resources/picture.png"]), [])


class ScriptTests(LimitedTestCase):
    """`Tools/check-scripts`, on files that it is given."""

    def setUp(self):
        super().setUp()
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = directory.name

    def check(self, name, text, *options, **environment):
        path = os.path.join(self.root, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        result = tool("check-scripts", *options, path, env={**os.environ, **environment})
        with open(path, encoding="utf-8") as file:
            return result, path, file.read()

    def test_a_planted_fault_of_each_language_is_named_with_its_file_and_line(self):
        for name, text, check, words in (
            ("script", "#!/usr/bin/env bash\necho $1\n", "shellcheck", "FILE:2:6: "),
            ("sourced", "# shellcheck shell=bash\necho $1\n", "shellcheck", "FILE:2:6: "),
            ("module.py", "import os\n\nx = y\n", "ruff", "FILE:3:5: F821"),
            ("tool", "#!/usr/bin/env python3\nx = y\n", "ruff", "FILE:2:5: F821"),
            ("style.py", "x = 1\ny = { 1:2 }\n", "ruff format", "--- FILE\n+++ FILE\n@@ -1,2 +1,2 @@\n x = 1\n-y = { 1:2 }\n"),
            ("page.js", "const a = 1;\nconst b = {a:1};\n", "deno fmt", "from FILE:\n2 | -const b = {a:1};\n"),
            ("test.mjs", "const a = 1;\nconst = 1;\n", "deno fmt", "FILE:2:7\n"),
        ):
            result, path, _ = self.check(name, text)
            self.assertEqual(result.returncode, 1, result)
            self.assertIn(words.replace("FILE", path), result.stdout + result.stderr)
            self.assertIn(f"check-scripts: failed: {check}\n", result.stderr)
            self.assertEqual(result.stderr.count("failed:"), 1, result.stderr)

    def test_files_without_a_fault_and_other_files_pass(self):
        for name, text in (
            ("script", '#!/usr/bin/env bash\necho "$1"\n'),
            ("module.py", "x = {1: 2}\n"),
            ("page.js", "const a = { b: 1 };\n"),
            ("text", "echo $1\n"),
            ("script.pl", "#!/usr/bin/env perl\n"),
            ("page.css", ".a{color:red}\n"),
        ):
            result, _, _ = self.check(name, text)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""), name)

    def test_files_of_the_repository_are_found(self):
        # A repository with the same tools; one file is known to git, and the other one is new.
        for name in ("Tools", ".build", ".ruff.toml", "deno.jsonc"):
            os.symlink(os.path.join(ROOT, name), os.path.join(self.root, name))
        os.mkdir(os.path.join(self.root, "other"))
        for name in ("known", "new", "ignored"):
            with open(os.path.join(self.root, "other", name), "w", encoding="utf-8") as file:
                file.write("#!/usr/bin/env bash\necho $1\n")
        with open(os.path.join(self.root, ".gitignore"), "w", encoding="utf-8") as file:
            file.write("ignored\n")
        for command in (["init", "--quiet"], ["add", "other/known"]):
            subprocess.run(["git", "-C", self.root, *command], timeout=60, check=True)
        result = subprocess.run([os.path.join(self.root, "Tools/check-scripts")], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(result.returncode, 1, result)
        self.assertEqual(sorted(line.split(":")[0] for line in result.stdout.splitlines()), ["other/known", "other/new"], result)

    def test_what_can_be_corrected_is_corrected_and_the_rest_is_named(self):
        result, _, text = self.check("module.py", "import os\nx = { 1:2 }\n", "--fix")
        self.assertEqual((result.returncode, text), (0, "x = {1: 2}\n"), result)
        result, _, text = self.check("page.js", "const b = {a:1};\n", "--fix")
        self.assertEqual((result.returncode, text), (0, "const b = { a: 1 };\n"), result)
        result, path, text = self.check("module.py", "x = { 1:y }\n", "--fix")
        self.assertEqual((result.returncode, text), (1, "x = {1: y}\n"), result)
        self.assertIn(f"{path}:1:9: F821", result.stdout)

    def test_a_check_without_its_program_is_left_out_where_there_is_no_apt_get(self):
        # What is installed is on the path alone, but for shellcheck and apt-get.
        self.check("script", "")
        programs = os.path.join(self.root, "programs")
        os.mkdir(programs)
        for name in ("basename", "bash", "dirname", "env"):
            os.symlink(shutil.which(name), os.path.join(programs, name))
        result, _, _ = self.check("script", "#!/usr/bin/env bash\necho $1\n", PATH=programs)
        self.assertEqual((result.returncode, result.stdout), (0, ""), result)
        self.assertIn("check-scripts: left out: shellcheck, which is not installed\n", result.stderr)


class LimitTests(LimitedTestCase):
    """`Tools/check-limits`."""

    def unlimited(self, code):
        limits, limited, tests = module("check-limits"), set(), []
        limits.read(code, limited, tests)
        return [name for name, _ in tests if name not in limited]

    def test_tests_without_the_limit_are_found(self):
        self.assertEqual(self.unlimited("@Suite struct A { @Test func a() {} }"), ["A"])
        self.assertEqual(self.unlimited("struct A { @Test func a() {} }"), ["A"])
        self.assertEqual(self.unlimited("@Suite(.serialized) struct A { @Test(.hangLimit) func a() {} }"), ["A"])
        self.assertEqual(self.unlimited("@Test func a() {}"), [None])
        self.assertEqual(self.unlimited("@Suite(.hangLimit) struct A {} struct B { @Test func b() {} }"), ["B"])
        self.assertEqual(self.unlimited("@Suite struct A { @Suite(.hangLimit) struct B { @Test func b() {} } }"), ["A"])

    def test_tests_of_a_suite_with_the_limit_pass(self):
        for code in (
            "@Suite(.hangLimit) struct A { @Test func a() {} struct B { @Test func b() {} } }",
            "@Suite(.hangLimit, .enabled(if: f(), .init(rawValue: g(1))))\n@MainActor final class A { @Test func a() {} }",
            "@Suite(.hangLimit) struct A {} extension A { @Test func a() {} }",
        ):
            self.assertEqual(self.unlimited(code), [], code)


class ImportTests(LimitedTestCase):
    """`Tools/check-imports`, of the tests."""

    def faults(self, code):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "Tests/Small"))
            with open(os.path.join(root, "Tests/Small/test_small.py"), "w", encoding="utf-8") as file:
                file.write(code)
            return list(module("check-imports").shared_tests(root))

    def test_a_module_that_imports_a_test_is_found(self):
        for code in ("import test_other", "from test_other import a", "import os, Tests.test_other", "from conftest import a", "def f():  import test_other"):
            self.assertEqual(len(self.faults(code)), 1, code)
        self.assertEqual(self.faults("import os\nfrom test_other import a\n"), ["Tests/Small/test_small.py:2: imports the test test_other"])

    def test_other_modules_may_be_imported(self):
        for code in ("import os", "from testing import test_other", "import tests", "# import test_other", "text = 'import test_other'"):
            self.assertEqual(self.faults(code), [], code)

    def test_a_target_that_depends_on_tests_is_found(self):
        def target(name, kind, *dependencies):
            return {"name": name, "type": kind, "dependencies": [{"byName": [dependency, None]} for dependency in dependencies]}

        find = module("check-imports").shared_targets
        small, more = target("SmallTests", "test", "Small"), target("MoreTests", "test", "Small", "SmallTests")
        self.assertEqual(list(find([target("Small", "regular"), small, more])), ["Package.swift: MoreTests depends on the tests SmallTests"])
        self.assertEqual(list(find([target("Small", "regular"), small])), [])

    def test_an_import_outside_of_its_trait_is_found(self):
        def dependency(name, *traits):
            return {"product": [name, "more", None, {"traits": list(traits)} if traits else None]}

        checks = module("check-imports")
        needed = checks.needed_traits({"dependencies": [dependency("Always"), dependency("Wide", "Net"), dependency("SwiftSyntaxMacros", "Macros")]})
        self.assertEqual((needed.get("Always"), needed["Wide"], needed["SwiftSyntax"]), (None, "Net", "Macros"))
        inside = (
            "import Always",
            "#if Net\nimport Wide\n#endif",
            "#if Command && Net\n#if DEBUG\nimport Wide\n#endif\n#endif",
            "#if A\n#elseif Net\nimport Wide\n#endif",
        )
        for code in inside:
            self.assertEqual(list(checks.outside_trait(code, needed)), [], code)
        outside = (
            "import Wide",
            "#if Network\nimport Wide\n#endif",
            "#if !Net\nimport Wide\n#endif",
            "#if Net\n#else\nimport Wide\n#endif",
            "#if Net\n#endif\nimport Wide",
        )
        for code in outside:
            self.assertEqual(list(checks.outside_trait(code, needed)), [("Wide", "Net")], code)


class FloorTests(LimitedTestCase):
    """`Tools/check-floors`, on a module of two folders."""

    def setUp(self):
        super().setUp()
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = directory.name

    def faults(self, low, high):
        files = []
        for folder, code in ("Low", low), ("High", high):
            os.makedirs(os.path.join(self.root, "Sources/Small", folder), exist_ok=True)
            files.append(os.path.join(self.root, "Sources/Small", folder, folder + ".swift"))
            with open(files[-1], "w", encoding="utf-8") as stream:
                stream.write(code)
        subprocess.run(
            ["swiftc", "-module-name", "Small", "-parse-as-library", "-c", "-index-store-path", "index", *files],
            cwd=self.root,
            check=True,
            capture_output=True,
            timeout=120,
        )
        floors, index = module("check-floors"), module("source-index")
        index = index.SourceIndex(self.root, os.path.join(self.root, "index"))
        return [(found.line, found.name) for found, _, _ in floors.faults(index, "Small", ["Low", "High"])]

    def test_members_of_extensions_are_followed(self):
        self.assertEqual(self.faults("struct A {}\nextension A { func low() { high() } }", "extension A { func high() { low() } }"), [(2, "high()")])
        self.assertEqual(self.faults("struct A {}\nfunc low(_ a: A) -> Int {\n  a.high\n}", "extension A { var high: Int { 0 } }"), [(3, "high")])

    def test_types_are_followed(self):
        self.assertEqual(self.faults("struct A {\n  var b: B?\n}", "struct B {}"), [(2, "B")])
        self.assertEqual(self.faults("struct A {}", "struct B { var a: A; func b() { _ = a } }"), [])

    def test_names_that_another_module_has_too_are_told_apart(self):
        self.assertEqual(self.faults("func low() -> Int { [1].count }", "struct B { var count = 0 }"), [])

    def test_calls_through_a_protocol_of_a_lower_floor_pass(self):
        self.assertEqual(
            self.faults("protocol Hook { func act() }\nfunc low(_ hook: any Hook) { hook.act() }", "struct B: Hook { func act() { low(self) } }"), []
        )

    def test_sources_that_changed_since_they_were_compiled_are_refused(self):
        self.faults("struct A {}", "")
        file = os.path.join(self.root, "Sources/Small/Low/Low.swift")
        os.utime(file, (time.time() + 10, time.time() + 10))
        with self.assertRaises(SystemExit) as end:
            module("source-index").SourceIndex(self.root, os.path.join(self.root, "index"))
        self.assertIn("is newer than what was compiled", str(end.exception))


class RunTests(LimitedTestCase):
    """`Tools/run-tests`, with a program in the place of `swift`."""

    def run_tests(self, script, minutes="0.02", afterwards=0):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "swift")
            with open(path, "w", encoding="utf-8") as file:
                file.write("#!/usr/bin/env bash\nwhile [ $# -gt 0 ]; do if [ $1 = --event-stream-output-path ]; then events=$2; fi; shift; done\n")
                file.write('test() { echo "{\\"kind\\":\\"test\\",\\"payload\\":{\\"kind\\":\\"function\\",\\"id\\":\\"$1\\"}}" >>"$events"; }\n')
                file.write('event() { echo "{\\"kind\\":\\"event\\",\\"payload\\":{\\"kind\\":\\"$1\\",\\"testID\\":\\"$2\\"}}" >>"$events"; }\n')
                file.write(textwrap.dedent(script))
            os.chmod(path, 0o755)
            environment = {**os.environ, "PATH": f"{directory}:{os.environ['PATH']}", "DAYBOOK_TEST_MINUTES": minutes, "HERE": directory}
            result = tool("run-tests", env=environment)
            time.sleep(afterwards)
            return result, os.listdir(directory)

    def test_a_run_that_hangs_ends_and_names_the_test(self):
        # As `swift test` does, it keeps the output until the tests have ended, and starts them in a group of their own.
        result, marks = self.run_tests(
            """
            test "A/ends()"; test "A/hangs()"; event testStarted "A/ends()"; event testStarted "A/hangs()"; event testEnded "A/ends()"
            setsid bash -c 'trap "" TERM; sleep 3; touch "$HERE/survived"' || true
            echo "what the tests printed"
            """,
            afterwards=3,
        )
        self.assertEqual(result.returncode, 124, result)
        self.assertIn("A/hangs()", result.stderr)
        self.assertIn("what the tests printed", result.stdout)
        self.assertNotIn("A/ends()", result.stderr)
        self.assertNotIn("survived", marks)

    def test_a_run_that_goes_on_is_not_ended(self):
        result, _ = self.run_tests("for i in 1 2 3 4 5 6 7 8; do event testStarted $i; sleep 0.4; event testEnded $i; done; exit 3")
        self.assertEqual(result.returncode, 3, result)

    def test_skipped_tests_are_named(self):
        result, _ = self.run_tests(
            'test "A/ends()"; test "A/skipped()"; event testStarted "A/ends()"; event testEnded "A/ends()"; event testSkipped "A/skipped()"'
        )
        self.assertEqual(result.returncode, 0, result)
        self.assertIn("run-tests: 1 test or suite was skipped:\n  A/skipped()\n", result.stderr)
        self.assertNotIn("A/ends()", result.stderr)
        result, _ = self.run_tests('test "A/ends()"; event testStarted "A/ends()"; event testEnded "A/ends()"')
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)

    def test_an_issue_is_no_progress(self):
        result, _ = self.run_tests("event testStarted a; for i in {1..15}; do event issueRecorded a; sleep 0.2; done")
        self.assertEqual(result.returncode, 124, result)

    def test_a_wrong_number_of_minutes_is_refused(self):
        for text in ("soon", "0", "-1", "nan"):
            result, _ = self.run_tests("exit 0", minutes=text)
            self.assertEqual((result.returncode, text in result.stderr), (1, True), result)


if __name__ == "__main__":
    unittest.main()
