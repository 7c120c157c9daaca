# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Findings beside the source lines in CI: the SARIF of `cohort sarif`, and GitHub's problem matcher, on the reports of
programs."""

import json
import pathlib
import re
import subprocess

import command
from command import VIEW, run_program

COHORT = VIEW.parent / "cohort"
MATCHER = VIEW.parent.parent / "lib" / "cohort" / "reports" / "problem_matcher.json"
JSON = {"COHORT_CHECK": "json", "COHORT_REPORT": "json"}
BUDGET = "[all]\nsectors = 1.2\nwavefronts = 10\n"


def line_of(source, text):
    """The number of the first line with `text`."""
    lines = (command.HERE / source).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


# The members of SARIF 2.1.0 that the command writes; the names of the objects are those of the standard's schema.
TEXT, NUMBER = {"type": "string", "minLength": 1}, {"type": "integer", "minimum": 1}


def closed(required, **members):
    return {"type": "object", "properties": members, "required": required, "additionalProperties": False}


def several(items, least=0):
    return {"type": "array", "items": items, "minItems": least}


MESSAGE = closed(["text"], text=TEXT)
LOCATION = closed([], message=MESSAGE, logicalLocations=several(closed([], fullyQualifiedName=TEXT, kind={"const": "function"}), 1),
                  physicalLocation=closed(["artifactLocation", "region"], region=closed(["startLine"], startLine=NUMBER),
                                          artifactLocation=closed(["uri"], uri={**TEXT, "pattern": r"^[\w\-.~/%:+]+$"})))
FLOW = closed(["locations"], id=TEXT, locations=several(closed([], location=LOCATION, executionOrder=NUMBER), 1))
RESULT = closed(["message", "ruleId", "ruleIndex", "level"], ruleId=TEXT, ruleIndex={"type": "integer", "minimum": 0}, message=MESSAGE,
                level={"enum": ["error", "warning"]}, locations=several(LOCATION, 1), relatedLocations=several(LOCATION),
                codeFlows=several(closed(["threadFlows"], threadFlows=several(FLOW, 1)), 1))
RULE = closed(["id"], id=TEXT, shortDescription=MESSAGE, fullDescription=MESSAGE)
RUN = closed(["tool", "results"], tool=closed(["driver"], driver=closed(["name"], name=TEXT, rules=several(RULE))), results=several(RESULT))
LOG = closed(["version", "runs"], **{"$schema": TEXT, "version": {"const": "2.1.0"}, "runs": several(RUN, 1)})


class Sarif(command.ViewTest):
    def run_sarif(self, *arguments, data=b""):
        return subprocess.run([COHORT, "sarif", *arguments], input=data, capture_output=True, cwd=self.folder, check=False, timeout=600)

    def results(self, data, *options):
        run = self.run_sarif("-", "--source-root", command.HERE, *options, data=data)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        log = json.loads(run.stdout)
        try:
            import jsonschema
            jsonschema.validate(log, LOG, cls=jsonschema.Draft202012Validator)
        except ImportError:
            pass
        (only,) = log["runs"]
        for result in only["results"]:
            self.assertEqual(only["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], result["ruleId"])
        return only["results"]

    def places(self, result):
        return [(location["physicalLocation"]["artifactLocation"]["uri"], location["physicalLocation"]["region"]["startLine"])
                for location in result.get("locations", []) + result.get("relatedLocations", [])]

    def refused(self, data, words, *options):
        run = self.run_sarif("-", *options, data=data)
        self.assertEqual((run.returncode, run.stdout), (2, b""))
        self.assertRegex(run.stderr.decode(), f"^cohort: .*{words}.*\n$")

    def test_race(self):
        unwritten, race = self.results(run_program("race", **JSON))
        self.assertEqual((unwritten["ruleId"], race["ruleId"], race["level"]), ("memory-unwritten", "race", "error"))
        write = line_of("race.cu", "part[t] = x[t]")
        self.assertEqual(self.places(race), [("race.cu", write), ("race.cu", write + 1)])
        self.assertIn("remedy: __syncthreads() between them", race["message"]["text"])
        self.assertEqual(race["locations"][0]["logicalLocations"], [{"fullyQualifiedName": "neighbour", "kind": "function"}])

    def test_findings_of_each_kind(self):
        found = {}
        for name in ("deadlock", "overrun", "arms", "streams"):
            for result in self.results(b"output\n" + run_program(name, **JSON) + b"output\n"):
                found.setdefault(result["ruleId"], []).append(self.places(result))
        self.assertEqual(set(found), {"launch-deadlock", "memory-outside", "sync-divergent", "race"})
        barrier = line_of("deadlock.cu", "__syncthreads();")
        self.assertIn(("deadlock.cu", barrier), found["launch-deadlock"][0])
        self.assertEqual(found["memory-outside"], [[("overrun.cu", line_of("overrun.cu", "x[i] =")),
                                                    ("overrun.cu", line_of("overrun.cu", "cudaMalloc"))]])

    def test_order(self):
        path = self.folder / "order.json"
        run_program("order", **JSON, COHORT_SCHEDULE=f"search:100,file:{path}")
        (result,) = self.results(path.read_bytes())
        (flow,) = result["codeFlows"]
        steps = json.loads(path.read_text())["steps"]
        order = sorted(step["executionOrder"] for thread in flow["threadFlows"] for step in thread["locations"])
        self.assertEqual(order, list(range(1, len(steps) + 1)))
        first = next(step["location"] for thread in flow["threadFlows"] for step in thread["locations"] if step["executionOrder"] == 1)
        self.assertEqual(first["message"]["text"], "stops before")
        self.assertEqual(self.places(result), self.places({"locations": [first]}))

    def test_counts(self):
        report, budget = self.folder / "report.json", self.folder / "budget.toml"
        run_program("counted", COHORT_COUNT=str(report))
        budget.write_text(BUDGET)
        results = self.results(report.read_bytes(), "--budget", budget)
        self.assertEqual([(result["ruleId"], result["level"], *self.places(result)) for result in results], [
            ("count-sectors", "warning", ("counted.cu", line_of("counted.cu", "out[("))),
            ("count-wavefronts", "warning", ("counted.cu", line_of("counted.cu", "] = 1;")))])
        self.refused(report.read_bytes(), "--budget names the file with its limits")

    def test_several_files(self):
        for name in ("race", "arms"):
            (self.folder / name).write_bytes(run_program(name, **JSON))
        run = self.run_sarif("race", "arms", "-o", "all.sarif")
        self.assertEqual((run.returncode, run.stdout), (0, b""))
        results = json.loads((self.folder / "all.sarif").read_text())["runs"][0]["results"]
        self.assertEqual([result["ruleId"] for result in results], ["memory-unwritten", "race", "sync-divergent"])

    def test_paths(self):
        def finding(file):
            return json.dumps({"check": "race", "version": 1, "title": "race", "first": {"place": f"{file}:3 (f)"}}).encode()

        inside = self.folder / "src" / "a b%.cu"
        inside.parent.mkdir()
        inside.write_text("\n\n\n")
        for file, uri in ((str(inside), "src/a%20b%25.cu"), ("a b%.cu", "src/a%20b%25.cu"), ("/else/b.cu", "file:///else/b.cu"),
                          ("none/b.cu", "none/b.cu"), ("a\u00e9.cu", "a%C3%A9.cu")):
            (result,) = self.results(finding(file), "--source-root", self.folder)
            self.assertEqual(self.places(result), [(uri, 3)], file)

    def test_no_findings(self):
        for data in (b"", b"output\n", b'{"a": 1}\n'):
            self.assertEqual(self.results(data), [])

    def test_refused(self):
        self.refused(run_program("race"), "line 1: a report as text. Run the program with COHORT_CHECK=json COHORT_REPORT=json")
        self.refused(run_program("deadlock", COHORT_CHECK="json"), "a report as text")
        self.refused(b'note\n{"check": "race", "version"', "line 2: a report is cut off or damaged")
        self.refused(b'{"check": "race", "version": 2}', "version 2 of a report")
        run = self.run_sarif("none.txt")
        self.assertEqual((run.returncode, run.stderr), (2, b"cohort: none.txt cannot be read: No such file or directory\n"))

    def test_other_types(self):
        """Members whose types differ from the schema's are left out."""
        values = (None, 5, [], [5], {}, {"place": 5}, "x:0", "x:99999999999999")
        finding, order = {"check": "race", "version": 1, "title": "race"}, {"order": "seed:1", "version": 1}
        members = ("title", "kernel", "first", "access", "memory", "rule", "remedy", "blocks", "problem", "place")
        lines = [json.dumps({**finding, member: value}) for member in members for value in values]
        lines += [json.dumps({**order, member: value}) for member in ("order", "steps", "switches", "launches", "reports")
                  for value in values]
        self.assertEqual(len(self.results("\n".join(["output", *lines]).encode())), len(lines))


def annotations_of(text):
    """Returns {owner: [(file, line, message)]}. Each pattern of a matcher matches one line, the next pattern the line
    after it."""
    found, lines = {}, text.splitlines()
    for matcher in json.loads(MATCHER.read_text())["problemMatcher"]:
        for first in range(len(lines)):
            fields = {}
            for at, pattern in enumerate(matcher["pattern"], first):
                match = re.search(pattern["regexp"], lines[at]) if at < len(lines) else None
                if not match:
                    break
                fields.update({name: match[group] for name, group in pattern.items() if name != "regexp"})
            else:
                found.setdefault(matcher["owner"], []).append((fields["file"], int(fields["line"]), fields["message"]))
    return found


class Matcher(command.ViewTest):
    def test_findings(self):
        write = line_of("race.cu", "part[t] = x[t]")
        found = annotations_of(run_program("race").decode())
        self.assertEqual(list(found), ["cohort-finding"])
        self.assertEqual([place[:2] for place in found["cohort-finding"]], [("race.cu", write + 1), ("race.cu", write)])
        self.assertRegex(found["cohort-finding"][1][2], r"^race in kernel neighbour <<<.*>>>, found 128 times$")
        (overrun,) = annotations_of(run_program("overrun").decode())["cohort-finding"]
        self.assertEqual(overrun[:2], ("overrun.cu", line_of("overrun.cu", "x[i] =")))
        streams = annotations_of(run_program("streams").decode())["cohort-finding"]
        self.assertEqual([place[2].split(" <<<")[0] for place in streams],
                         ["race between kernel rows", "race between a copy and kernel line"])
        self.assertEqual(len(annotations_of(run_program("arms").decode())["cohort-finding"]), 1)

    def test_waiting_threads(self):
        found = annotations_of(run_program("deadlock").decode())
        self.assertEqual([place[:2] for place in found["cohort-waiting"]],
                         [("deadlock.cu", line_of("deadlock.cu", text)) for text in ("__syncthreads();", "__shfl_sync")])
        self.assertRegex(found["cohort-waiting"][0][2], "^50 threads: wait at the block's barrier")

    def test_failures(self):
        text = "cohort: failure in kernel f <<<(1,1,1), (1,1,1)>>>\n  a thread failed\n  thread (0,0,0) of block (0,0,0), at a.cu:7 (f)\n"
        self.assertEqual(annotations_of(text)["cohort-failure"], [("a.cu", 7, "failure in kernel f <<<(1,1,1), (1,1,1)>>>")])

    def test_budget(self):
        report, budget = self.folder / "report.json", self.folder / "budget.toml"
        run_program("counted", COHORT_COUNT=str(report))
        budget.write_text(BUDGET)
        run = subprocess.run([COHORT, "budget", report, budget], text=True, capture_output=True, check=False)
        self.assertEqual(run.returncode, 1)
        found = annotations_of(run.stdout)["cohort-budget"]
        self.assertEqual([(pathlib.Path(file).name, line) for file, line, _ in found],
                         [("counted.cu", line_of("counted.cu", "out[(")), ("counted.cu", line_of("counted.cu", "] = 1;"))])
        self.assertEqual(found[0][2], "64 sectors are 8.000 x the ideal of 8")

    def test_compiler(self):
        source = self.folder / "wrong.cu"
        source.write_text("__global__ void f() {\n  int unused = undeclared;\n}\n")
        run = subprocess.run([VIEW.parent / "cohortcc", "-c", source, "-o", self.folder / "wrong.o"], text=True, capture_output=True,
                             check=False)
        (error,) = annotations_of(run.stderr)["cohort-compiler"]
        self.assertEqual(error, (str(source), 2, "use of undeclared identifier 'undeclared'"))

    def test_other_output(self):
        text = "a: b\n12:30: tests are done\n  total: 5 sectors\ncohort: search: seed 1 differs\n  at a.cu:1\n"
        self.assertEqual(annotations_of(text), {})


command.main()
