#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reports of programs have the form of docs/schemas/count.schema.json:  test_schema.py PROGRAMS SCHEMA"""

import json
import pathlib
import sys
import unittest

from reports import report_of

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)


def errors_of(report):
    return [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(report)]


class Schema(unittest.TestCase):
    def test_reports(self):
        memories = set()
        for name in ("recorded_O3", "patterns_O3", "control_O0", "transpose"):
            for settings in ({}, {"COHORT_COUNT_BLOCKS": "1/3"}):
                report = report_of(programs / name, **settings)
                self.assertEqual(errors_of(report), [], name)
                memories |= {row.get("memory") for kernel in report["kernels"] for row in kernel["accesses"]}
        self.assertLessEqual({None, "global", "shared"}, memories)

    def test_other_reports_are_refused(self):
        good = report_of(programs / "transpose")
        (kernel,) = good["kernels"]
        row = next(row for row in kernel["accesses"] if "worst" in row)
        for change in ({"sectors": -1}, {"sectors": "1"}, {"memory": "other"}, {"memory": "shared"}, {"operation": "prefetch"},
                       {"worst": {"excess": 1, "offsets": [0] * 31}}, {"worst": {"excess": 0, "offsets": [0] * 32}}):
            self.assertNotEqual(errors_of({**good, "kernels": [{**kernel, "accesses": [{**row, **change}]}]}), [], change)
        for change in ({"version": 2}, {"report": "other"}, {"blocks_for_one": 0}, {"kernels": [{}]}):
            self.assertNotEqual(errors_of({**good, **change}), [], change)


if __name__ == "__main__":
    programs, path = (pathlib.Path(argument) for argument in sys.argv[1:3])
    schema = json.loads(path.read_text())
    del sys.argv[1:3]
    unittest.main()
