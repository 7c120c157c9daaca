# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of cohort-view about reports of COHORT_COUNT: numbers by line, pictures of the worst accesses, comparisons."""

import json
import subprocess

import command
from command import HOSTILE, VIEW, run_program

STORE, BARRIER, LAST = 7, 8, 10  # lines of counted.cu
LINES = (command.HERE / "counted.cu").read_text().splitlines()


def access(line, memory="global", size=4, offsets=None, **numbers):
    row = {"file": "k.cu", "line": line, "operation": "load", "memory": memory, "bytes_of_lane": size, "requests": 1, "lanes": 32,
           **numbers}
    return {**row, "worst": {"excess": 1, "offsets": offsets}} if offsets else row


def report(*accesses, kernel="k", **members):
    return json.dumps({"report": "cohort-count", "version": 1, "blocks_for_one": 1,
                       "kernels": [{"kernel": kernel, "accesses": accesses}], **members})


def cells_of(rows):
    """{(row, column): lanes} of the cells with lanes."""
    return {(i, k): cell["lanes"] for i, row in enumerate(rows) for k, cell in enumerate(row["cells"]) if cell}


class Counters(command.ViewTest):
    def counts(self, data, *options):
        return self.content(data, *options)["counts"]

    def counts_of_program(self, *options, **variables):
        path = self.folder / "report.json"
        run_program("counted", COHORT_COUNT=str(path), **variables)
        return self.counts(path.read_text(), *options)

    def compare(self, before, after):
        (self.folder / "before.json").write_text(before)
        return self.counts(after, "--before", self.folder / "before.json")

    def refused(self, data, words, *options):
        run = self.view(data, *options)
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr.decode(), f"^cohort-view: .*{words}.*\n$")

    def test_numbers_of_lines(self):
        (kernel,) = self.counts_of_program("--source-root", command.HERE)["kernels"]
        self.assertEqual(kernel["kernel"], "columns(float*)")
        (file,) = kernel["files"]
        rows = {row["line"]: row for row in file["rows"] if row}
        # Each of 8 warps stores 32 words of one bank; 8 of its lanes load 8 words of one bank, and store to 8 sectors.
        self.assertEqual(rows[STORE]["bars"], {"wavefronts": [8, 248], "lanes": [256, 0]})
        self.assertEqual(rows[BARRIER]["bars"], {"lanes": [256, 0]})
        self.assertEqual(rows[LAST]["bars"], {"sectors": [8, 56], "wavefronts": [8, 56], "lanes": [128, 384]})
        self.assertEqual({line: row["text"] for line, row in rows.items()},
                         {line: LINES[line - 1] for line in range(STORE - 2, LAST + 3)})
        self.assertEqual(rows[LAST]["sentences"], ["64 sectors are 8.000 x the ideal of 8", "64 wavefronts are 8.000 x the ideal of 8",
                                                   "128 active lanes are 0.250 of the lanes of 16 warp accesses"])

    def test_pictures(self):
        (kernel,) = self.counts_of_program()["kernels"]
        store, *others = kernel["pictures"]
        self.assertEqual((store["kind"], store["line"], store["found"], store["operation"]), ("banks", STORE, 32, "store"))
        self.assertEqual({cell: lanes for (cell, _), lanes in cells_of(store["rows"]).items()}, {i: str(i) for i in range(32)})
        self.assertEqual(len({bank for _, bank in cells_of(store["rows"])}), 1)
        pictures = {picture["kind"]: picture for picture in others}
        self.assertEqual(cells_of(pictures["sectors"]["rows"]), {(i // 2, i % 2 * 2): str(i) for i in range(8)})
        self.assertEqual([row["name"] for row in pictures["sectors"]["rows"]], ["+0", "+128", "+256", "+384"])
        self.assertEqual((pictures["banks"]["lanes"], pictures["banks"]["found"]), (8, 8))

    def test_sampled(self):
        content = self.counts_of_program(COHORT_COUNT_BLOCKS="1/2")
        self.assertEqual(content["notes"], ["The run has counted one of 2 blocks."])
        bars = {row["line"]: row["bars"] for row in content["kernels"][0]["files"][0]["rows"] if row}
        self.assertEqual(bars[STORE]["wavefronts"], [4, 124])

    def test_wavefronts_of_wide_accesses(self):
        for size, stride, conflicts in ((8, 8, 1), (8, 16, 2), (16, 16, 1), (16, 32, 2), (16, 128, 8), (2, 2, 1), (1, 4, 1), (4, 0, 1)):
            offsets = [lane * stride for lane in range(32)]
            (kernel,) = self.counts(report(access(1, "shared", size, offsets, wavefronts=9, ideal_wavefronts=1)))["kernels"]
            rows = kernel["pictures"][0]["rows"]
            self.assertEqual(len(rows), max(size // 4, 1) * conflicts, (size, stride))
            self.assertEqual([row["beyond"] for row in rows].count(True), max(size // 4, 1) * (conflicts - 1))
            shown = {(row, column) for row, column in cells_of(rows)}
            words = {offset // 4 + i for offset in offsets for i in range(max(size // 4, 1))}
            self.assertEqual(len(shown), len(words), (size, stride))

    def test_sectors_that_lanes_share(self):
        offsets = [6 + 4 * lane for lane in range(16)] + [None] * 16
        (kernel,) = self.counts(report(access(1, "global", 4, offsets, sectors=3, ideal_sectors=2)))["kernels"]
        (picture,) = kernel["pictures"]
        self.assertEqual((cells_of(picture["rows"]), picture["found"]), ({(0, 0): "0-6", (0, 1): "6-14", (0, 2): "14-15"}, 3))
        self.assertEqual([cell and cell["bytes"] for cell in picture["rows"][0]["cells"]], [26, 32, 6, None])

    def test_comparison(self):
        content = self.compare(report(access(3, sectors=8, ideal_sectors=8), access(9, sectors=1, ideal_sectors=1)),
                               report(access(3, sectors=16, ideal_sectors=8)))
        (kernel,) = content["kernels"]
        rows = {row["line"]: row for row in kernel["files"][0]["rows"] if row}
        self.assertEqual((rows[3]["bars"]["sectors"], rows[3]["before"]["sectors"]), ([8, 8], [8, 0]))
        self.assertEqual((rows[9]["bars"], rows[9]["before"]["sectors"]), ({}, [1, 0]))
        self.assertEqual(rows[3]["change"], "sectors 8 -> 16 (2.000 x)")
        self.assertIn("sectors 9 -> 16", kernel["change"])
        self.assertEqual(content["notes"], [])
        self.assertIn("  k.cu:3: sectors 8 -> 16 (2.000 x)", content["text"].splitlines())

    def test_comparison_of_other_kernels(self):
        content = self.compare(report(access(3), kernel="old", blocks_for_one=16), report(access(3), kernel="new"))
        self.assertEqual(content["notes"], ["The report before has counted one of 16 blocks, so only ratios can be compared.",
                                            "old is only in the report before.", "new is not in the report before."])

    def test_kernels_by_excess(self):
        kernels = [{"kernel": name, "accesses": [access(1, sectors=n, ideal_sectors=1)]} for name, n in (("a", 2), ("b", 9), ("c", 2))]
        content = self.counts(report(kernels=kernels))
        self.assertEqual([kernel["kernel"] for kernel in content["kernels"]], ["b", "a", "c"])

    def test_without_javascript(self):
        self.content(report(access(3, sectors=16, ideal_sectors=8)))
        shown = self.page.read_text().split("<noscript>")[1].split("</noscript>")[0]
        self.assertIn("k: 16 sectors are 2.000 x the ideal of 8\n  k.cu:3: 16 sectors are 2.000 x the ideal of 8", shown)

    def test_no_source(self):
        (kernel,) = self.counts_of_program("--source-root", command.HERE, "--no-source")["kernels"]
        self.assertEqual({row["text"] for row in kernel["files"][0]["rows"] if row}, {None})
        (self.folder / "secret.txt").write_text("password\n")
        (kernel,) = self.counts(report({**access(1), "file": "secret.txt"}))["kernels"]
        self.assertIsNone(kernel["files"][0]["rows"][0]["text"])

    def test_hostile_names(self):
        content = self.counts(report({**access(3, sectors=2, ideal_sectors=1), "file": HOSTILE, "operation": HOSTILE}, kernel=HOSTILE))
        self.assertEqual(content["kernels"][0]["kernel"], HOSTILE)
        self.assertNotIn(HOSTILE, self.page.read_text())

    def test_refused(self):
        self.refused(report(version=2), "has version 2 of the report")
        self.refused(report(access(3, sectors=-1)), "is damaged: .*sectors is -1")
        self.refused(report({**access(3), "file": 5}), "is damaged: .*a place is 5")
        self.refused('{"report": "cohort-count",', "is no JSON")
        (self.folder / "before.json").write_text("[]")
        self.refused(report(access(3)), "before.json is no report of COHORT_COUNT", "--before", self.folder / "before.json")
        self.refused("cohort: note\n", "is no report of COHORT_COUNT, and --before compares two", "--before", "before.json")
        run = subprocess.run([VIEW, "--before"], capture_output=True, check=False)
        self.assertEqual(run.returncode, 2)


command.main()
