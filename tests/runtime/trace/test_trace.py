# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files that COHORT_TRACE makes:  test_trace.py PROGRAMS"""

import collections
import json
import os
import pathlib
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
PROCESSES = 1 << 22  # most processes of Linux; a device's number in a trace is the process plus a multiple of this


def limit_files(most):
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores the signal, and its children would too
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


class Traces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="cohort-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, name, file="trace.json", before=None, **variables):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("COHORT_")}
        environment.update(variables, COHORT_TRACE=file)
        return subprocess.run([PROGRAM, name], capture_output=True, text=True, timeout=120, check=False,
                              cwd=self.folder, env=environment, preexec_fn=before)

    def events(self, file="trace.json"):
        found = json.loads((self.folder / file).read_text())
        self.assertEqual((found[0]["name"], found[-1]["name"]), ("process_name", "cohort_trace"))
        self.check_nesting(found)
        return found

    # Slices of a track are nested or disjoint.
    def check_nesting(self, events):
        tracks = collections.defaultdict(list)
        for e in events:
            if e["ph"] == "X":
                begin = round(e["ts"] * 1000)
                tracks[e["pid"], e["tid"]].append((begin, begin + round(e["dur"] * 1000)))
        for (process, _), slices in tracks.items():
            open_ends = []
            for begin, end in sorted(slices, key=lambda s: (s[0], -s[1])):
                while open_ends and open_ends[-1] <= begin:
                    open_ends.pop()
                self.assertTrue(not open_ends or end <= open_ends[-1], (begin, end, open_ends))
                # Slices of a stream's operations are disjoint.
                self.assertTrue(not open_ends or process < PROCESSES or begin == end, (begin, end, open_ends))
                open_ends.append(end)

    def test_launches_blocks_barriers_and_copies(self):
        for workers in ("1", "3"):
            for gangs in ("auto", "off"):
                with self.subTest(workers=workers, gangs=gangs):
                    result = self.run_program("usual", COHORT_WORKERS=workers, COHORT_GANGS=gangs)
                    self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "640 3\n", ""))
                    events = self.events()
                    self.assertEqual(events[-1]["args"], {"left_out": 0, "dropped": 0})
                    self.check_usual(events, int(workers))

    def check_usual(self, events, workers):
        launches = {e["name"]: e for e in events if e.get("cat") == "launch"}
        self.assertEqual({name: (e["args"]["grid"], e["args"]["threads"]) for name, e in launches.items()},
                         {"add": ([5, 2, 1], [128, 1, 1]), "sum": ([10, 1, 1], [64, 1, 1]),
                          "steps": ([2, 1, 1], [40, 1, 1])})
        blocks = collections.defaultdict(list)
        for e in events:
            if e.get("cat") == "block":
                blocks[e["name"]].append(tuple(e["args"]["block"]))
                launch = launches[e["name"]]
                self.assertLessEqual(launch["ts"], e["ts"])
                self.assertLessEqual(e["ts"] + e["dur"], launch["ts"] + launch["dur"] + 0.002)
        self.assertEqual(sorted(blocks["add"]), sorted((x, y, 0) for x in range(5) for y in range(2)))
        self.assertEqual(sorted(blocks["sum"]), [(x, 0, 0) for x in range(10)])
        self.assertEqual(set(blocks["steps"]), {(0, 0, 0), (1, 0, 0)})
        self.assertGreaterEqual(len(blocks["steps"]), 2)
        barriers = collections.Counter((e["name"], tuple(e["args"]["block"])) for e in events if e.get("cat") == "barrier"
                                       and e["name"] == "block barrier")
        self.assertEqual(barriers, {("block barrier", (x, 0, 0)): 7 for x in range(10)})
        self.assertEqual(sum(e["name"] == "grid barrier" for e in events), 3)
        copies = [(e["name"], e["args"]["bytes"]) for e in events if e.get("cat") == "copy"]
        self.assertEqual(sorted(copies), [("copy", 4), ("fill", 4), ("fill", 4), ("fill", 2560)])
        names = {e["args"]["name"] for e in events if e["name"] == "thread_name"}
        self.assertLessEqual(names - {n for n in names if n.startswith("host thread ")},
                             {f"device 0, worker {i}" for i in range(1, workers)} | {"device 0, default stream"})
        self.assertEqual(self.operations(events),
                         {"device 0, default stream": ["fill", "fill", "add", "sum", "fill", "steps", "copy"]})
        # The host thread is held in the synchronous copy.
        copy = next(e for e in events if e["name"] == "copy")
        self.assertTrue(any(e["ts"] <= copy["ts"] and copy["ts"] + copy["dur"] <= e["ts"] + e["dur"] + 0.002
                            for e in events if e.get("cat") == "wait"), copy)

    # The names of the operations of each row of a stream, in their order.
    def operations(self, events):
        names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
        rows = collections.defaultdict(list)
        for e in sorted((e for e in events if e["ph"] == "X" and e["pid"] >= PROCESSES), key=lambda e: e["ts"]):
            rows[names[e["pid"], e["tid"]]].append(e["name"])
        for e in events:
            if e["name"] == "process_name" and e["pid"] >= PROCESSES:
                device = e["pid"] // PROCESSES - 1
                self.assertEqual(e["args"]["name"], f"device {device} of runtime_traced")
        return rows

    def test_each_stream_has_a_row(self):
        for workers in ("1", "3"):
            for gangs in ("auto", "off"):
                result = self.run_program("streams", COHORT_WORKERS=workers, COHORT_GANGS=gangs)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                ids = result.stdout.split()
                self.assertEqual(len(set(ids)), 2)
                events = self.events()
                self.assertEqual(self.operations(events),
                                 {f"device 0, stream {i}": ["copy", "add", "add", "copy", "host function"] for i in ids})
                self.assertEqual({e["tid"] for e in events if e["pid"] >= PROCESSES}, {int(i) for i in ids})

    # Branches of a graph overlap in time, so the stream has two rows.
    def test_branches_of_a_graph(self):
        self.assertEqual(self.run_program("graph").returncode, 0)
        rows = self.operations(self.events())
        rows.pop("device 0, default stream")  # a fill before the graph
        first, second = sorted(rows)
        self.assertRegex(first, r"^device 0, stream \d+$")
        self.assertEqual(second, first + " (2)")
        self.assertEqual(rows, {first: ["host function", "fill"], second: ["host function"]})

    def test_a_launch_over_devices_is_in_the_row_of_each(self):
        result = self.run_program("devices", COHORT_DEVICES="2", COHORT_WORKERS="3", COHORT_SMS="4")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        ids = result.stdout.split()
        events = self.events()
        self.assertEqual(self.operations(events), {f"device {i}, stream {ids[i]}": ["steps"] for i in range(2)})
        launches = {e["pid"] // PROCESSES - 1: e["args"] for e in events if e.get("cat") == "launch"}
        self.assertEqual(launches, {i: {"grid": [3, 1, 1], "threads": [33, 1, 1], "device": i} for i in range(2)})

    def test_ranges_of_nvtx(self):
        result = self.run_program("ranges")
        self.assertEqual((result.returncode, result.stdout), (0, "1 0 0 -2\n"), result.stderr)
        found = {(e["ph"], e["name"]): e for e in self.events() if e.get("cat") == "nvtx"}
        self.assertEqual(set(found), {("X", "outer \"\\\n\x01\ufffd\ufffd\ufffd"), ("X", "w\u00e4hrend \u20ac \U0001f600"),
                                      ("i", "domain: registered"), ("X", "domain: registered"), ("b", "range"),
                                      ("e", "range")})
        self.assertEqual(found["i", "domain: registered"]["args"], {"payload": -7, "category": 4, "color": "#102030"})
        self.assertEqual(found["b", "range"]["id"], found["e", "range"]["id"])
        self.assertNotEqual(found["b", "range"]["tid"], found["e", "range"]["tid"])

    def test_ranges_of_nvtx_in_cpp(self):
        result = self.run_program("cpp_ranges")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        found = [e for e in self.events() if e.get("cat") == "nvtx"]
        domain = "b\u00fccherei \u20ac \U0001f600: "
        names = sorted((e["ph"], e["name"]) for e in found)
        self.assertEqual(names, sorted([("X", "text"), ("X", domain + "greeting"), ("i", domain + "w\u00e4hrend"),
                                        ("i", "attributes"), ("b", "first"), ("e", "first"), ("b", "second"),
                                        ("e", "second"), ("b", domain + "range"), ("e", domain + "range"),
                                        ("X", "named_function"), ("X", "named_function"), ("X", domain + "operator()")]))
        arguments = {e["name"]: e["args"] for e in found if "args" in e}
        self.assertEqual(arguments["text"], {"payload": 1 << 40, "color": "#010203"})
        self.assertEqual(arguments[domain + "greeting"], {"category": 5})
        self.assertEqual(arguments[domain + "w\u00e4hrend"], {"payload": "0.5", "color": "#405060"})
        self.assertEqual(arguments["attributes"], {"category": 6})

    def test_a_full_file_says_what_it_lacks(self):
        result = self.run_program("many", COHORT_TRACE_SIZE="100000")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"^cohort: COHORT_TRACE: the file is full, \d+ events were dropped "
                                        r"\(COHORT_TRACE_SIZE\)\n$")
        events = self.events()
        self.assertLess((self.folder / "trace.json").stat().st_size, 100000 + 1000)
        self.assertGreater(events[-1]["args"]["dropped"], 0)

    # A trace with a size limit has as many events as fit; all other events are counted.
    def test_a_small_file_is_filled(self):
        for limit in (4096, 10000, 100000):
            result = self.run_program("marks", COHORT_TRACE_SIZE=str(limit))
            self.assertEqual(result.returncode, 0)
            events = self.events()
            largest = max(len(json.dumps(e)) for e in events)
            size = (self.folder / "trace.json").stat().st_size
            self.assertEqual(len(events) + events[-1]["args"]["dropped"], 200 + 3)
            self.assertEqual(events[-1]["args"]["dropped"] > 0, limit < 100000)
            if limit < 100000:
                self.assertGreater(size, limit - largest - 100)
            self.assertLess(size, limit + 256)

    # The limit of file sizes would end the program by a signal.
    def test_the_system_limits_files(self):
        most = 100 * 1024
        result = self.run_program("many", before=lambda: limit_files(most))
        self.assertEqual(result.returncode, 0)
        self.assertIn("events were dropped (the system's limit for files, ulimit -f)", result.stderr)
        self.assertGreater(self.events()[-1]["args"]["dropped"], 0)
        self.assertLessEqual((self.folder / "trace.json").stat().st_size, most)
        for most in (0, 300):
            (self.folder / "trace.json").unlink()
            result = self.run_program("usual", before=lambda most=most: limit_files(most))
            self.assertEqual((result.returncode, result.stdout, list(self.folder.iterdir())), (0, "640 3\n", []))
            self.assertEqual(result.stderr, "cohort: COHORT_TRACE: trace.json: File too large; the program runs without "
                                            "a trace\n")
            (self.folder / "trace.json").touch()

    # A full file system has the effect of a small size limit.
    def test_a_full_disk(self):
        enter = ["unshare", "--user", "--map-root-user", "--mount"]
        if not shutil.which("unshare") or subprocess.run([*enter, "mount", "-t", "tmpfs", "none", "/mnt"],
                                                         capture_output=True, check=False).returncode:
            self.skipTest("needs namespaces of users")
        for size in ("64k", "192k"):
            script = ('mount -t tmpfs -o size=' + size + ' none /mnt && COHORT_TRACE=/mnt/t.json "$0" many; echo $?; '
                      'cp /mnt/t.json trace.json')
            result = subprocess.run([*enter, "sh", "-c", script, PROGRAM], capture_output=True, text=True, timeout=120,
                                    check=False, cwd=self.folder)
            self.assertEqual(result.stdout, "0\n", result.stderr)
            self.assertEqual(result.stderr.count("No space left on device; the trace ends early"), 1, result.stderr)
            self.assertIn("events were dropped (the system took no more)", result.stderr)
            self.assertNotIn("COHORT_TRACE_SIZE", result.stderr)
            self.assertGreater(self.events()[-1]["args"]["dropped"], 0)

    def test_blocks_that_are_left_out_are_counted(self):
        self.assertEqual(self.run_program("many", COHORT_WORKERS="1").returncode, 0)
        blocks = [e for e in self.events() if e.get("cat") == "block"]
        self.assertEqual(sum(e["args"].get("blocks", 1) for e in blocks), 2000 * 8)

    def test_reports_and_exits_leave_whole_files(self):
        result = self.run_program("fails")
        self.assertEqual(result.returncode, 0)
        self.assertIn("in kernel refused", result.stderr)
        self.assertEqual([e["name"] for e in self.events() if e.get("cat") == "launch"], ["refused"])
        self.assertEqual(self.run_program("exits").returncode, 3)
        self.events()

    def test_a_block_that_traps_has_a_slice(self):
        for gangs in ("auto", "off"):
            for workers in ("1", "2"):
                result = self.run_program("trap", COHORT_GANGS=gangs, COHORT_WORKERS=workers)
                self.assertEqual(result.returncode, 0)
                self.assertIn("__trap", result.stderr)
                self.assertEqual([(e["cat"], e["name"]) for e in self.events() if e.get("cat") in ("launch", "block")],
                                 [("block", "traps"), ("launch", "traps")])

    # exit() destroys the objects of its thread before static objects.
    def test_destructors_of_static_objects_may_launch(self):
        # glibc overwrites freed memory, which shows uses after the end.
        variables = {"MALLOC_PERTURB_": "165", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
        for workers in ("1", "2"):
            for program, late in (("late", 100), ("later", 0)):
                for file in ("", "trace.json"):
                    result = self.run_program(program, file, COHORT_WORKERS=workers, **variables)
                    self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "101\n", ""))
                found = collections.Counter((e["ph"], e["name"]) for e in self.events()
                                            if e.get("cat") in ("nvtx", "launch"))
                expected = {("X", "add"): 1 + late, ("b", "early"): 1}
                if late:
                    expected.update({("X", "late"): late, ("i", "late"): 1})
                self.assertEqual(found, expected)

    def test_ranges_that_overlap_or_stay_open(self):
        self.assertEqual(self.run_program("overlaps").returncode, 0)
        found = [e for e in self.events() if e.get("cat") == "nvtx"]
        self.assertEqual(collections.Counter((e["ph"], e["name"]) for e in found),
                         {("b", "a: first"): 1, ("e", "a: first"): 1, ("X", "b: second"): 1, ("X", "b: third"): 1,
                          ("b", "a: left by a thread"): 1, ("b", "b: left"): 1, ("b", "a: started"): 1})
        ids = collections.Counter(e["id"] for e in found if "id" in e)
        self.assertEqual(sorted(ids.values()), [1, 1, 1, 2])
        first = {e["ph"]: e for e in found if e["name"] == "a: first"}
        second = next(e for e in found if e["name"] == "b: second")
        self.assertTrue(first["b"]["ts"] <= second["ts"] <= first["e"]["ts"] <= second["ts"] + second["dur"])
        for e in found:
            self.assertEqual(e.get("args"), None if e["ph"] == "e" else {"category": 3}, e)

    def test_a_child_has_a_file_of_its_own(self):
        self.assertEqual(self.run_program("forks", "%p-%%.json").returncode, 0)
        files = sorted(self.folder.iterdir())
        self.assertEqual(len(files), 2)
        found = {}
        for file in files:
            self.assertRegex(file.name, r"^\d+-%\.json$")
            events = self.events(file.name)
            self.assertEqual({e["pid"] % PROCESSES for e in events}, {int(file.name.split("-")[0])})
            self.assertIn("thread_name", {e["name"] for e in events})
            found[frozenset(e["name"] for e in events if e.get("cat") in ("nvtx", "launch"))] = file
        self.assertEqual(set(found), {frozenset({"child"}), frozenset({"add", "parent"})})
        self.assertEqual(self.run_program("forks", "one.json").returncode, 0)
        self.assertNotIn("child", {e["name"] for e in self.events("one.json")})

    def test_the_search_for_a_faulting_thread_has_no_file(self):
        result = self.run_program("fault", "%p.json")
        self.assertEqual(result.returncode, 0)
        self.assertIn("thread (40,0,0)", result.stderr)
        self.assertEqual(len(list(self.folder.iterdir())), 1)

    def test_a_program_that_closes_all_files(self):
        result = self.run_program("closes")
        self.assertEqual((result.returncode, result.stdout), (0, "640 3\n"))
        self.assertEqual((self.folder / "own.txt").read_text(), "kept")
        self.assertIn("cohort: COHORT_TRACE: trace.json: the program has closed the file; ", result.stderr)

    def test_spinning_blocks_do_not_fill_the_file(self):
        for workers in ("1", "2"):
            self.assertEqual(self.run_program("spins", COHORT_WORKERS=workers).returncode, 0)
            blocks = [e for e in self.events() if e.get("cat") == "block"]
            self.assertLessEqual({tuple(e["args"]["block"]) for e in blocks if "block" in e["args"]}, {(0, 0, 0), (1, 0, 0)})
            self.assertLess(len(blocks), 500)

    def check_refused(self, name, why):
        result = self.run_program("usual", name)
        self.assertEqual((result.returncode, result.stdout), (0, "640 3\n"))
        self.assertEqual(result.stderr, f"cohort: COHORT_TRACE: {name}: {why}; the program runs without a trace\n")

    def test_files(self):
        existing = self.folder / "trace.json"
        existing.write_text("x" * 10_000_000)
        existing.chmod(0o644)
        self.run_program("usual")
        self.events()
        self.assertEqual(stat.S_IMODE(existing.stat().st_mode), 0o600)
        (self.folder / "target").write_text("kept")
        (self.folder / "link").symlink_to("target")
        self.check_refused("link", "it is a symbolic link")
        self.assertEqual((self.folder / "target").read_text(), "kept")
        os.link(self.folder / "target", self.folder / "second")
        self.check_refused("second", "the file has another name (a hard link)")
        self.assertEqual((self.folder / "target").read_text(), "kept")
        os.mkfifo(self.folder / "pipe")
        self.check_refused("pipe", "No such device or address")
        self.check_refused("/dev/null", "it is no regular file")
        self.check_refused("missing/file", "No such file or directory")
        self.check_refused(".", "Is a directory")

    def test_without_a_trace_there_is_no_file(self):
        self.run_program("usual", "")
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
