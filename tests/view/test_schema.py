# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The JSON objects of programs have the form of docs/schemas/report.schema.json."""

import json
import pathlib
import sys
import tempfile

import command
from command import run_program

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

SCHEMA = json.loads((command.HERE.parent.parent / "docs" / "schemas" / "report.schema.json").read_text())


class Schema(command.ViewTest):
    def objects_of(self, name, *arguments, **variables):
        output = run_program(name, *arguments, COHORT_CHECK="json", COHORT_REPORT="json", **variables)
        lines = [json.loads(line) for line in output.split(b"\n") if line.startswith(b"{")]
        self.assertTrue(lines, output)
        for line in lines:
            jsonschema.validate(line, SCHEMA, cls=jsonschema.Draft202012Validator)
        return lines

    def test_reports_of_each_kind(self):
        kinds = set()
        for name in ("deadlock", "race", "overrun", "arms", "streams"):
            for line in self.objects_of(name):
                self.assertTrue(line["rule"] and line["remedy"] and line["title"], line)
                kinds.add(line.get("check", "report"))
        self.assertEqual(kinds, {"race", "memory", "sync", "report"})

    def test_order(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "order.json"
            (line,) = self.objects_of("order", COHORT_SCHEDULE=f"search:100,file:{file}")
            self.assertEqual(line, json.loads(file.read_text()))

    def test_the_schedule_is_named(self):
        for line in self.objects_of("race", COHORT_SCHEDULE="seed:3"):
            self.assertEqual(line["schedule"], "seed:3")

    def test_other_objects_are_refused(self):
        (race,) = (line for line in self.objects_of("race") if line["check"] == "race")
        for change in ({"version": 2}, {"first": None}, {"check": "other"}, {"grid": [1, 1]}, {"count": "1"}):
            with self.subTest(change), self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate({**race, **change}, SCHEMA)


if __name__ == "__main__":
    command.main()
