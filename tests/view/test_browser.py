# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages of cohort-view in a headless Chromium: what they draw, and their keys. Elements are compared, not pixels."""

import json
import sys

import browser
import command
from command import HOSTILE, run_program


class Browsers(command.ViewTest):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def show(self, data, *options):
        self.content(data, *options)
        self.browser.open(self.page)
        self.assertEqual(self.browser.errors, [])

    def value(self, expression):
        return self.browser.evaluate(expression)

    def texts(self, selector):
        return self.value(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")

    def test_deadlock(self):
        self.show(run_program("deadlock"), "--source-root", command.HERE)
        states = self.value("[...document.querySelectorAll('.lane')].map(e => e.dataset.state)")
        self.assertEqual(states, ["barrier"] * 50 + ["collective"] * 14 + ["returned"] * 32)
        self.assertEqual(self.value("[...document.querySelectorAll('.warp')].map(w => w.querySelectorAll('.lane').length)"), [32] * 3)
        self.assertEqual(self.value("[...document.querySelectorAll('.lane.missing')].map(e => Number(e.dataset.thread))"),
                         list(range(32, 50)))
        self.assertEqual(self.texts(".legend tbody td:nth-child(2)"), ["32", "50", "14", "18"])
        self.assertRegex(self.texts(".legend .dashed")[0], "dashed frame: a collective of the warp waits for this lane")
        self.assertEqual(self.texts(".others"), ["The launch has 2 blocks; the report describes 1."])
        self.assertEqual(self.texts("#report-1 > .sentence, #report-1 > .remark"), [
            "No thread of the block can run, and what they wait for cannot happen any more.",
            "The letters show where the threads wait."])
        self.assertEqual([line.lstrip("0123456789") for line in self.texts(".source .here")],
                         ["    __syncthreads();", "  x[t] += __shfl_sync(0xffffffff, x[t], 0);"])

    def test_order(self):
        step = {"launch": 2, "block": 0, "threads": [0, 0], "does": "stopped", "place": "a.cu:3 (k)"}
        other = {"launch": 2, "block": 1, "threads": [0, 31], "does": "returns", "switched": True}
        self.show(json.dumps({"order": "seed:1", "version": 1, "switches": [{}], "steps": [step, other, step],
                              "launches": [{"launch": 2, "kernel": HOSTILE}]}))
        self.assertEqual(self.texts(".order thead th"), ["step", "thread 0 of block 0", "threads 0-31 of block 1"])
        self.assertEqual(self.texts(".order .step td"),
                         ["stops before a.cu:3 (k)", "", "", "switch: returns", "stops before a.cu:3 (k)", ""])
        self.assertEqual(self.texts(".order tbody th[colspan]"), ["launch 2, kernel " + HOSTILE])

    def test_counters(self):
        path = self.folder / "report.json"
        run_program("counted", COHORT_COUNT=str(path))
        self.show(path.read_text(), "--source-root", command.HERE)
        self.assertEqual(self.texts("#counters h3"), ["columns(float*)"])
        (source,) = (line for line in self.texts(".counted .code") if "out[" in line)
        self.assertIn("    out[(blockIdx.x * 32", source)
        self.assertEqual(self.texts(".counted-source thead th"),
                         ["line", "source", "sectors, x ideal", "wavefronts, x ideal", "active lanes"])
        # The longest bar is that of the conflict: it spans the full width, and 248 of its 256 wavefronts are excess.
        widths = "[...document.querySelectorAll('[data-bar=wavefronts] rect')].map(e => e.getBoundingClientRect().width)"
        for width, expected in zip(self.value(widths), [90 * 8 / 256, 90 * 248 / 256, 90 * 8 / 256, 90 * 56 / 256]):
            self.assertAlmostEqual(width, expected, delta=1.1)  # 1 pixel for the dashed frame
        self.assertEqual(self.texts("[data-bar=wavefronts] span"), ["256, 32.00 x", "64, 8.00 x"])
        self.assertEqual(self.texts("[data-bar=lanes] span"), ["100 %", "100 %", "25 %"])
        self.assertEqual(self.value("[...document.querySelectorAll('table.banks')].map(t => t.rows.length)"), [33, 9])
        self.assertEqual(self.texts("table.sectors tbody tr:first-child td"), ["0 (4 of 32 bytes)", "", "1 (4 of 32 bytes)", ""])
        self.assertEqual(self.value("document.querySelectorAll('table.banks')[0].querySelectorAll('.beyond .used').length"), 31)

    def test_compared_counters(self):
        row = {"file": HOSTILE, "line": 3, "requests": 1, "lanes": 32, "operation": HOSTILE, "ideal_sectors": 2}
        texts = [json.dumps({"report": "cohort-count", "version": 1, "kernels": [
            {"kernel": HOSTILE, "accesses": [{**row, "sectors": sectors}]}]}) for sectors in (2, 4)]
        (self.folder / "before.json").write_text(texts[0])
        self.show(texts[1], "--before", self.folder / "before.json")
        self.assertEqual(self.texts("[data-bar=sectors] span"), ["4, 2.00 x; before 2"])
        self.assertEqual(self.texts(".change"), ["Since the report before: sectors 2 -> 4 (2.000 x)"])
        self.assertEqual(self.texts("#counters h3, #counters caption"), [HOSTILE, HOSTILE])
        self.assertEqual(self.value("document.querySelectorAll('[data-bar=sectors] rect.before').length"), 1)
        self.assertEqual(self.value("document.querySelectorAll('img, main script').length"), 0)

    def test_keys_of_a_block(self):
        self.show(run_program("deadlock"))
        for key, thread in (("Tab", 0), ("ArrowRight", 1), ("ArrowDown", 33), ("ArrowLeft", 32), ("ArrowUp", 0), ("ArrowUp", 0),
                            ("End", 95), ("ArrowRight", 95), ("Home", 0)):
            self.browser.press(key)
            self.assertEqual(self.value("document.activeElement.dataset.thread"), str(thread), key)
            self.assertRegex(self.texts(".status")[0], f"^thread {thread} \\({thread}, 0, 0\\), lane {thread % 32} of warp")
        self.assertEqual(self.value("document.querySelectorAll('.lane[tabindex=\"0\"]').length"), 1)

    def test_race(self):
        self.show(run_program("race"), "--source-root", command.HERE)
        lanes = "[...document.querySelectorAll('#report-2 .lane[data-state=access]')].length"
        self.assertEqual(self.value(lanes), 2)
        self.assertEqual(len(self.texts("#report-2 .accesses .source .here")), 2)

    def test_race_between_kernels_of_two_shapes(self):
        self.show(run_program("streams"), "--source-root", command.HERE)
        self.assertEqual(self.texts("#report-1 h3"), ["Block (0, 0, 0) of kernel rows, 32 threads",
                                                      "Block (0, 0, 0) of kernel line, 64 threads"])
        lanes = "[...document.querySelectorAll('#report-1 .lane[data-state=access]')].length"
        self.assertEqual(self.value(lanes), 2)

    def test_facts_are_in_the_open(self):
        self.show(run_program("overrun"), "--source-root", command.HERE)
        (fact,) = self.texts("#report-1 > .memory")
        self.assertRegex(fact, r"^0 bytes behind the end of 4000 bytes at .*, allocated at overrun\.cu:17 \(main\)\.$")
        self.assertIn("17  cudaMalloc(&x, 1000 * sizeof(int));", self.texts("#report-1 .source .here"))

    def test_hostile_texts(self):
        (self.folder / "a.cu").write_text(HOSTILE + "\n")
        title = f"{HOSTILE} <<<(1,1,1), (32,1,1)>>>"
        self.show(f"cohort: failure in kernel {title}\n  {HOSTILE}\n  thread (0,0,0) of block (0,0,0), at a.cu:1 ({HOSTILE})\n"
                  f"cohort: {HOSTILE}\n")
        self.assertEqual(self.value("document.querySelectorAll('img, iframe, object, main script').length"), 0)
        self.assertTrue(self.value("document.title").startswith("cohort-view: "))
        self.assertEqual(self.texts("h2"), [f"Report 1: failure in kernel {title}", f"Report 2: {HOSTILE}"])
        self.assertEqual(self.texts(".source .here"), ["1" + HOSTILE])

    def test_timeline_of_many_events(self):
        events = [{"ph": "X", "pid": 1, "tid": i % 4, "ts": i // 4 * 10, "dur": 9, "name": f"e{i}", "cat": HOSTILE}
                  for i in range(100000)]
        self.show(json.dumps(events))
        canvas = "document.querySelector('canvas').dataset"
        drawn = int(self.value(canvas + ".drawn"))
        self.assertGreater(drawn, 100)
        self.assertLess(drawn, 4 * 2000)  # bounded by the width of 4 rows, not by the number of events
        self.assertEqual(len(self.texts(".longest tbody tr")), 100)
        self.value("document.querySelector('canvas').focus()")
        span = f"Number({canvas}.end) - Number({canvas}.begin)"
        full = self.value(span)
        self.browser.press("+", "+")
        self.assertAlmostEqual(self.value(span), full / 2)
        begin = float(self.value(canvas + ".begin"))
        self.browser.press("ArrowRight")
        self.assertGreater(float(self.value(canvas + ".begin")), begin)
        self.browser.press("Home")
        self.assertEqual(float(self.value(canvas + ".begin")), 0)
        self.browser.press("0", "0")
        self.assertAlmostEqual(self.value(span), full)
        self.browser.press("n", "n")
        self.assertTrue(self.texts(".status")[0].startswith("e0: 9 us"))
        self.browser.press("n", "n")
        self.browser.press("ArrowDown")
        self.assertTrue(self.texts(".status")[0].startswith("e5: 9 us"))
        self.value("document.querySelector('.longest button').click()")
        self.assertIn("9 us", self.texts(".status")[0])
        self.assertEqual(self.value("document.querySelectorAll('img').length"), 0)

    def test_times_of_kernels_and_round_times(self):
        events = [{"ph": "X", "pid": 1, "tid": 1, "ts": 100 * i, "dur": 90, "name": "step", "cat": "launch"} for i in range(73)]
        events += [{"ph": "X", "pid": 1, "tid": 1, "ts": e["ts"] + 1, "dur": 80, "name": "step", "cat": "block"} for e in events]
        self.show(json.dumps([*events, {"ph": "X", "pid": 1, "tid": 2, "ts": 0, "dur": 5, "name": "fill", "cat": "copy"}]))
        self.assertEqual(self.texts(".kernels tbody td"), ["step", "73", "6570", "90", "90"])
        self.assertEqual(set(self.texts(".longest tbody td:nth-child(2)")), {"launch", "copy"})
        ticks = self.value("document.querySelector('canvas').dataset.ticks").split(", ")
        self.assertGreater(len(ticks), 3)
        for number, tick in enumerate(ticks):
            value, unit = tick.split()
            self.assertEqual((round(float(value) / float(ticks[1].split()[0]), 3), unit), (number, "ms"))
        self.assertRegex(ticks[1], r"^(0\.[125]|[125]) ms$")

    def test_gaps_are_said(self):
        self.show(json.dumps([{"ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "name": "a"},
                              {"ph": "M", "pid": 1, "name": "cohort_trace", "args": {"left_out": 12, "dropped": 34}}]))
        found = self.texts("#timeline > .gap")
        self.assertEqual([text.split()[0] for text in found], ["12", "34"])
        self.assertIn("COHORT_TRACE_SIZE", found[1])

    def test_timeline_of_many_rows(self):
        # Browsers draw nothing on a canvas of more than 32767 pixels.
        self.show(json.dumps([{"ph": "X", "pid": 1, "tid": i, "ts": i, "dur": 10, "name": f"e{i}"} for i in range(5000)]))
        canvas = "document.querySelector('canvas')"
        self.assertLess(self.value(canvas + ".height"), 32767)
        painted = (f"[...{canvas}.getContext('2d').getImageData(0, 0, {canvas}.width, {canvas}.height).data]"
                   ".some(value => value !== 0)")
        self.assertTrue(self.value(painted))
        shown = int(self.value(canvas + ".dataset.drawn"))
        self.assertGreater(shown, 500)
        self.value(canvas + ".focus()")
        self.assertRegex(self.texts(".range")[0], f"^Lines 1 to {shown} of 5000")
        self.browser.press("PageDown")
        self.assertEqual(int(self.value(canvas + ".dataset.top")), shown)
        self.value("document.querySelector('.longest tbody tr:last-child button').click()")
        for _ in range(10):
            self.browser.press("PageDown")
        self.assertEqual(int(self.value(canvas + ".dataset.top")), 5000 - shown)
        self.assertRegex(self.texts(".range")[0], "to 5000 of 5000")

    def test_light_and_dark(self):
        self.show(run_program("deadlock"))
        colours = []
        for scheme in ("light", "dark"):
            self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            colours.append(self.value("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"))
        self.assertEqual(len({tuple(pair) for pair in colours}), 2)
        self.assertEqual(len({value for pair in colours for value in pair}), 4)


if not browser.find():
    print("skipped: no Chromium is installed")
    sys.exit(77)
command.main()
