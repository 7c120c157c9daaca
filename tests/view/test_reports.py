# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cohort-view reads the reports of programs: the state, place and group of each thread, the accesses of a race."""

import pathlib
import tempfile

import command
from command import run_program


def threads_of(state):
    return [rank for first, last in state["threads"] for rank in range(first, last + 1)]


class Reports(command.ViewTest):
    def test_deadlock(self):
        text = run_program("deadlock")
        content = self.content(b"output \xff of the program\n" + text + b"more output\n  indented\n", "--source-root", command.HERE)
        (report,) = content["reports"]
        self.assertEqual((report["kind"], report["kernel"], report["grid"], report["block_dim"]),
                         ("deadlock", "scale", [2, 1, 1], [96, 1, 1]))
        (block,) = report["blocks"]
        self.assertEqual((block["block"], block["threads"]), ([0, 0, 0], 96))
        states = {state["class"]: state for state in block["states"]}
        self.assertEqual({name: threads_of(state) for name, state in states.items()},
                         {"barrier": list(range(50)), "collective": list(range(50, 64)), "returned": list(range(64, 96))})
        self.assertEqual(states["barrier"]["group"], "thread_block")
        self.assertEqual(states["collective"]["group"], "warp 1 with lane mask 0xffffffff")
        self.assertEqual(states["collective"]["missing"], list(range(32, 50)))
        self.assertEqual(report["text"].encode(), text.rstrip(b"\n"))
        place = states["barrier"]["place"]
        self.assertRegex(place, r"^deadlock\.cu:\d+ \(scale\)$")
        excerpt = content["sources"][place]
        self.assertEqual(excerpt["lines"][excerpt["line"] - excerpt["first"]], "    __syncthreads();")
        self.assertEqual(self.content(text, "--no-source", "--source-root", command.HERE)["sources"], {})

    def test_deadlock_as_json(self):
        text, data = run_program("deadlock"), run_program("deadlock", COHORT_REPORT="json")
        (first,), (second,) = (self.content(each)["reports"] for each in (text, b"output\n" + data + b"output\n"))
        self.assertEqual(data.count(b"\n"), 1)
        self.assertEqual(first, second)

    def test_divergent_barrier(self):
        for variables in ({}, {"COHORT_CHECK": "json"}):
            with self.subTest(**variables):
                (report,) = self.content(run_program("arms", **variables))["reports"]
                self.assertEqual((report["kind"], report["kernel"], report["grid"], report["block_dim"]),
                                 ("divergent barrier", "arms", [1, 1, 1], [64, 1, 1]))
                self.assertEqual([(side["kind"], side["position"], side["block"]) for side in report["accesses"]],
                                 [("wait", [0, 0, 0], [0, 0, 0]), ("wait", [24, 0, 0], [0, 0, 0])])
                self.assertEqual([side["place"] for side in report["accesses"]], ["arms.cu:8 (arms)", "arms.cu:10 (arms)"])
                self.assertIn("must be equal for all threads of the block", " ".join(report["facts"] + [report.get("sentence") or ""]))

    def test_threads_that_the_text_leaves_out(self):
        """The text of a report lists only some threads where their ranks are scattered. Its JSON object lists all."""
        for form, complete in (("text", False), ("json", True)):
            data = run_program("deadlock", "scattered", COHORT_REPORT=form)
            (report,) = self.content(data)["reports"]
            states = {state["class"]: state for state in report["blocks"][0]["states"]}
            self.assertEqual(states["barrier"]["complete"], complete)
            self.assertEqual(states["barrier"]["count"], 512)
            self.assertEqual(threads_of(states["barrier"]) == list(range(0, 1024, 2)), complete)

    def test_race_as_text_and_json(self):
        for variables in ({}, {"COHORT_CHECK": "json"}):
            with self.subTest(variables=variables):
                content = self.content(run_program("race", **variables))
                race = content["reports"][-1]
                self.assertEqual((race["kind"], race["kernel"], race["block_dim"]), ("race", "neighbour", [128, 1, 1]))
                self.assertEqual(sorted(access["kind"] for access in race["accesses"]), ["read", "write"])
                for access in race["accesses"]:
                    self.assertEqual((access["bytes"], access["block"]), ("4", [0, 0, 0]))
                    self.assertRegex(access["place"], r"^race\.cu:\d+ \(neighbour\)$")
                self.assertIn("shared variable part", race["facts"][0])
                self.assertIn("__syncthreads()", race["remedy"])

    def test_order(self):
        """A search keeps the order in a file, which the page draws as a lane for each thread."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "order.json"
            search = run_program("order", COHORT_SCHEDULE=f"search:100,file:{file}", COHORT_REPORT="json")
            (line,) = [line for line in search.split(b"\n") if line.startswith(b'{"order"')]
            for data in (file.read_bytes(), line):
                (report,) = self.content(data, "--source-root", command.HERE)["reports"]
                self.assertEqual((report["kind"], report["kernel"], report["known"]), ("order", "count", True))
                steps = report["order"]["steps"]
                (switch,) = [i for i, step in enumerate(steps) if step["switched"]]
                self.assertEqual((steps[switch - 1]["lane"], steps[switch - 1]["does"]), ("thread 0 of block 0", "stops before"))
                self.assertRegex(steps[switch - 1]["place"], r"^order\.cu:7 \(count\)$")
                self.assertRegex(steps[switch]["lane"], r"^threads? [1-9]")
                self.assertEqual(steps[switch]["does"], "returns")

    def test_overrun(self):
        for variables in ({}, {"COHORT_CHECK": "json"}):
            with self.subTest(variables=variables):
                (report,) = self.content(run_program("overrun", **variables))["reports"]
                (access,) = report["accesses"]
                self.assertEqual((access["kind"], access["position"], access["block"]), ("write", [104, 0, 0], [7, 0, 0]))
                self.assertEqual(report["block_dim"], [128, 1, 1])
                fact = report["facts"][0]
                self.assertRegex(fact, r"^0 bytes behind the end of 4000 bytes at 0x[0-9a-f]+, allocated at overrun\.cu:17 \(main\)$")
                self.assertEqual(report["places"], ["overrun.cu:17 (main)"])

    def test_races_between_launches(self):
        for variables in ({}, {"COHORT_CHECK": "json"}):
            with self.subTest(variables=variables):
                content = self.content(run_program("streams", **variables), "--source-root", command.HERE)
                kernels, copy = content["reports"]
                self.assertEqual([(access["kernel"], access["block_dim"], access["launched"]) for access in kernels["accesses"]],
                                 [("rows", [8, 4, 1], "streams.cu:17 (main)"), ("line", [64, 1, 1], "streams.cu:18 (main)")])
                self.assertEqual([access["kernel"] for access in copy["accesses"]], [None, "line"])
                self.assertEqual(copy["accesses"][1]["block_dim"], [64, 1, 1])
                self.assertIn("streams.cu:17 (main)", content["sources"])

    def test_mended_programs_report_nothing(self):
        for name in ("deadlock", "race", "overrun"):
            self.assertEqual(run_program(name, "mended"), b"")

    def test_each_sentence_has_a_class(self):
        sentences = {
            "wait in reduce of the thread_block, where 3 of 8 threads arrived at a.cu:1 (f)": ("collective", "thread_block"),
            "wait at the grid's barrier (grid_group.sync), where 8 of 8 threads of the block arrived": ("barrier", "grid_group"),
            "wait at the barrier of the cluster_group, where 8 of 8 threads of the block arrived": ("barrier", "cluster_group"),
            "wait in sync of the thread_block_tile<64> of threads 64-127, where 3 of 64 threads arrived":
                ("collective", "thread_block_tile<64> of threads 64-127"),
            "wait for convergence (coalesced_threads) at a.cu:1 (f at b)": ("convergence", "coalesced_group"),
            "spin at a.cu:1 (f)": ("spin", None),
            "spin, after a try to wait at the mbarrier at byte 8 of the static shared memory, whose phase of parity 0 "
            "lacks 1 of 40 arrivals at a.cu:1 (f)": ("spin", None), "can run after a wait at a.cu:1 (f)": ("ready", None),
            "have not started": ("unstarted", None), "run": ("run", None), "hover at a.cu:1": ("unknown", None),
            "wait at barrier 4 of the block, where 64 of 96 threads arrived": ("barrier", "barrier 4"),
            "wait at the mbarrier at byte 8 of the static shared memory, whose phase of parity 0 lacks 1 of 40 arrivals":
                ("barrier", "mbarrier at byte 8 of the static shared memory"),
        }
        lines = "".join(f"    1 thread: {sentence}\n      thread {i}\n" for i, sentence in enumerate(sentences))
        text = f"cohort: time-out in kernel f <<<(1,1,1), (32,1,1)>>>\n  because\n  block (0,0,0), 32 threads:\n{lines}"
        (report,) = self.content(text)["reports"]
        found = [(state["class"], state["group"]) for state in report["blocks"][0]["states"]]
        self.assertEqual(found, list(sentences.values()))
        self.assertEqual(report["blocks"][0]["states"][4]["place"], "a.cu:1 (f at b)")

    def test_unknown_report_stays_text(self):
        (report,) = self.content("cohort: surprise in module x\n  a line\n")["reports"]
        self.assertEqual((report["known"], report["text"]), (False, "cohort: surprise in module x\n  a line"))

    def test_many_reports(self):
        self.assertEqual(len(self.content(run_program("race") * 3)["reports"]), 6)


command.main()
