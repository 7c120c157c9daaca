# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cohort-view refuses inputs that it cannot draw with exit code 2 and a remedy, and writes its page safely."""

import json
import os
import random
import socket
import stat
import subprocess
import sys

import command
from command import VIEW


class Inputs(command.ViewTest):
    def refused(self, data, sentence):
        run = self.view(data)
        self.assertEqual((run.returncode, run.stdout), (2, b""))
        self.assertRegex(run.stderr.decode(), "^cohort-view: .*" + sentence)
        self.assertEqual(run.stderr.count(b"\n"), 1)
        self.assertFalse(self.page.exists())

    def test_refused(self):
        event = '{"ph": "X", "ts": 1, "dur": 1, "name": "a"}'
        self.refused("", "is empty.*stderr")
        self.refused(" \n", "is empty")
        self.refused("no report\n", "holds no report")
        self.refused(b"\x00\xff\xfe" * 100, "holds no report")
        self.refused('{"a": 1}', "holds no report")
        self.refused('{"traceEvents": [' + event + ",", "cut off")
        self.refused("[" + event + ', {"ph": "X"', "cut off")
        self.refused('{"traceEvents": 5}', "no array")
        self.refused('{"traceEvents": []}', "without events")
        self.refused('{"traceEvents": ' + "[" * 100000, "nested too deeply|cut off")

    def test_huge_input(self):
        self.refused(b"x\n" * (130 << 20), "more than 256 MiB.*tail -c")
        event = b'{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"a"},\n'
        self.refused(b"[\n" + event * (5 << 20), "more than 256 MiB.*COHORT_TRACE_SIZE=")

    def test_closed_stdin_and_stdout(self):
        for redirect, words in (("<&-", "stdin is closed"), (">&- <report", "stdout is closed"), (">/dev/full <report", "No space")):
            (self.folder / "report").write_text("cohort: note\n")
            run = subprocess.run(["sh", "-c", f'"$0" - -o - {redirect}', VIEW], capture_output=True, text=True, timeout=600,
                                 check=False, cwd=self.folder)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertRegex(run.stderr, f"^cohort-view: [^\n]*{words}[^\n]*\n$")

    def test_page_on_stdout(self):
        run = subprocess.run([VIEW, "-", "-o", "-"], input=b"cohort: note\n", capture_output=True, timeout=600, check=False)
        self.content("cohort: note\n")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, self.page.read_bytes(), b""))

    def test_lines_that_make_patterns_slow(self):
        for part in ("a in kernel ", "<<<(1,1,1), ", " by thread", " <<<"):
            self.content("cohort: race in kernel " + part * 100000 + "\n  read of 4 bytes by " + part * 100000 + "\n")

    def test_missing_file(self):
        run = subprocess.run([VIEW, self.folder / "none", "-o", self.page], capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("cannot be read: No such file", run.stderr)

    def test_names_of_two_lines(self):
        for arguments in (["a\nb"], ["-", "-o", "none\n/b"]):
            run = subprocess.run([VIEW, *arguments], input=b"cohort: note\n", capture_output=True, timeout=600, check=False,
                                 cwd=self.folder)
            self.assertEqual((run.returncode, run.stderr.count(b"\n")), (2, 1), run.stderr)

    def test_trace(self):
        events = [
            {"ph": "M", "pid": 1, "tid": 2, "name": "thread_name", "args": {"name": "worker"}},
            {"ph": "X", "pid": 1, "tid": 2, "ts": 10, "dur": 20, "name": "kernel", "cat": "kernel", "args": {"grid": 4}},
            {"ph": "B", "pid": 1, "tid": 2, "ts": 12, "name": "wait", "cat": "barrier"},
            {"ph": "E", "pid": 1, "tid": 2, "ts": 15}, {"ph": "i", "pid": 1, "tid": 2, "ts": 16, "name": "mark"},
            {"ph": "b", "pid": 1, "tid": 2, "ts": 11, "id": 7, "name": "copy", "cat": "copy"},
            {"ph": "e", "pid": 1, "tid": 2, "ts": 40, "id": 7, "name": "copy", "cat": "copy"},
            {"ph": "B", "pid": 1, "tid": 3, "ts": 20, "name": "stuck"}, {"ph": "X", "ts": "none"}, 5,
        ]
        text = json.dumps(events)
        for data in (text, json.dumps({"traceEvents": events}), text[:-4]):
            trace = self.content(data)["trace"]
            columns = trace["columns"]
            names = [trace["texts"][name] for name in columns["name"]]
            self.assertEqual(names, ["kernel", "wait", "mark", "stuck (not ended)", "copy"])
            self.assertEqual(columns["depth"], [0, 1, 1, 0, 0])
            self.assertEqual(columns["start"], [0, 2, 6, 10, 1])
            self.assertEqual(columns["duration"], [20, 3, 0, 20, 29])
            self.assertEqual(trace["rows"][0], {"process": "1", "thread": "worker"})
            self.assertEqual(trace["not_ended"], 1)

    def test_rows_of_a_process_stand_together(self):
        rows = [(1, 1), (9, 30), (1, 2), (5, "b"), (9, 4), (1, 1), (5, "a"), (5, 7)]
        events = [{"ph": "X", "pid": pid, "tid": tid, "ts": i, "dur": 1, "name": f"{pid} {tid}"}
                  for i, (pid, tid) in enumerate(rows)]
        trace = self.content(json.dumps(events))["trace"]
        names = [f"{row['process']} {row['thread']}" for row in trace["rows"]]
        self.assertEqual(names, ["1 1", "1 2", "9 4", "9 30", "5 7", "5 b", "5 a"])
        columns = trace["columns"]
        self.assertEqual([trace["texts"][name] for name in columns["name"]], [names[row] for row in columns["row"]])
        self.assertEqual(columns["start"], [0, 5, 2, 4, 1, 7, 3, 6])

    def test_trace_that_ends_in_an_event(self):
        lines = "[\n" + "".join(f'{{"ph":"X","pid":1,"tid":1,"ts":{i},"dur":1,"name":"e"}},\n' for i in range(5))
        for cut in range(1, 50, 7):
            self.assertEqual(self.content(lines[:-cut])["trace"]["columns"]["start"], [0, 1, 2, 3, 4][:5 if cut < 3 else 4])

    def test_trace_with_wrong_values(self):
        values = ["null", "true", "[]", "{}", '"x"', "NaN", "-Infinity", "1e308", "1" + "0" * 400, "-1", '"\\ud800"']
        fields = ["ph", "pid", "tid", "ts", "dur", "name", "cat", "id", "args"]
        event = {"ph": '"X"', "pid": "1", "tid": "1", "ts": "1", "dur": "2", "name": '"a"'}
        events = []
        for value in values:
            for field in fields:
                changed = {**event, field: value}
                events.append("{" + ", ".join(f'"{name}": {text}' for name, text in changed.items()) + "}")
        columns = self.content("[" + ",\n".join(events) + "]")["trace"]["columns"]
        self.assertTrue(all(0 <= number < 1e17 for name in ("start", "duration") for number in columns[name]))

    def test_output_is_a_regular_file(self):
        other = self.folder / "other"
        other.write_text("keep")
        special = [self.folder / name for name in ("link", "pipe", "socket")]
        special[0].symlink_to(other)
        os.mkfifo(special[1])
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(special[2]))
        modes = [os.lstat(path).st_mode for path in special]
        for path in [*special, "/dev/null", self.folder]:
            run = subprocess.run([VIEW, "-", "-o", path], input=b"cohort: note\n", capture_output=True, timeout=600, check=False)
            self.assertEqual(run.returncode, 2, path)
            self.assertRegex(run.stderr.decode(), r"^cohort-view: .* is (a symbolic link|a folder|no regular file); .*\n$")
        self.assertEqual([os.lstat(path).st_mode for path in special], modes)
        self.assertEqual(other.read_text(), "keep")
        self.page.write_text("old")
        self.content("cohort: note\n")

    def test_times_of_kernels(self):
        slices = [("launch", "a", 10, 30), ("block", "a", 11, 5), ("block", "a", 17, 5), ("launch", "b", 50, 100),
                  ("launch", "a", 200, 50), ("copy", "c", 300, 1000)]
        events = [{"ph": "X", "pid": 1, "tid": 1, "ts": start, "dur": duration, "name": name, "cat": category}
                  for category, name, start, duration in slices]
        self.assertEqual(self.content(json.dumps(events))["trace"]["kernels"], [
            {"name": "b", "count": 1, "total": 100, "mean": 100, "longest": 100},
            {"name": "a", "count": 2, "total": 80, "mean": 40, "longest": 50}])

    def test_gaps_of_a_trace(self):
        events = [{"ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "name": "a"},
                  {"ph": "M", "pid": 1, "tid": 0, "name": "cohort_trace", "args": {"left_out": 12, "dropped": 34}}]
        trace = self.content(json.dumps(events))["trace"]
        self.assertEqual((trace["left_out"], trace["dropped"], trace["short"]), (12, 34, 0))

    # view.full_trace has the true number of events of a page.
    def test_more_events_than_a_page_holds(self):
        lower = ("import sys; sys.path.insert(0, sys.argv[1]); import command, trace_events; trace_events.MOST_EVENTS = 1000; "
                 "sys.exit(command.main(sys.argv[2:]))")
        modules = VIEW.resolve().parent.parent / "lib" / "cohort" / "view"
        trace = self.content(command.trace_of_blocks(1100), command=[sys.executable, "-B", "-c", lower, modules])["trace"]
        self.assertEqual((len(trace["columns"]["row"]), trace["short"]), (1000, 100))
        self.assertEqual(sorted(trace["columns"]["duration"]), sorted(i % 9 + 1 for i in range(1100))[100:], "the longest")

    def test_overlapping_slices_have_lines_of_their_own(self):
        random.seed(3)
        spans = [(random.randrange(1000), random.randrange(200)) for _ in range(300)]
        events = []
        for i, (start, duration) in enumerate(spans):
            events += [{"ph": "b", "pid": 1, "cat": "c", "id": i, "name": "r", "ts": start},
                       {"ph": "e", "pid": 1, "cat": "c", "id": i, "name": "r", "ts": start + duration}]
        columns = self.content(json.dumps(events))["trace"]["columns"]
        lines = {}
        for start, duration, depth in sorted(zip(columns["start"], columns["duration"], columns["depth"], strict=True)):
            self.assertLessEqual(lines.get(depth, 0), start)
            lines[depth] = start + duration
        most = max(sum(start <= at < start + duration for start, duration in spans) for at in range(1000))
        self.assertLessEqual(len(lines), most + 1)

    def test_many_overlapping_slices(self):
        events = [{"ph": "X", "pid": 1, "tid": 1, "ts": i, "dur": 100000, "name": "r"} for i in range(50000)]
        columns = self.content(json.dumps(events))["trace"]["columns"]
        self.assertEqual(columns["depth"], list(range(50000)))

    def test_lines_of_sources_end_as_compilers_count(self):
        (self.folder / "a.cu").write_bytes(b"one\x0c\r\ntwo\x0b\xe2\x80\xa8\x1c\nthree\n\n")
        text = "cohort: failure in kernel f <<<(1,1,1), (1,1,1)>>>\n  x\n  thread (0,0,0) of block (0,0,0), at a.cu:%d (f)\n"
        found = self.content(text % 3)["sources"]["a.cu:3 (f)"]
        self.assertEqual((found["line"], found["lines"]), (3, ["one\x0c", "two\x0b\u2028\x1c", "three", ""]))
        self.assertEqual(self.content(text % 5)["sources"], {})

    def test_output_has_the_usual_rights(self):
        mask = os.umask(0o027)
        try:
            self.content("cohort: note\n")
        finally:
            os.umask(mask)
        self.assertEqual(stat.S_IMODE(self.page.stat().st_mode), 0o640)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["page.html"])

    def test_output_that_cannot_be_written(self):
        self.page = self.folder / "none" / "page.html"
        self.refused("cohort: note\n", "cannot be written")
        run = subprocess.run([VIEW, "-", "-o", self.folder], input=b"cohort: note\n", capture_output=True, timeout=600, check=False)
        self.assertEqual(run.returncode, 2)

    def test_only_sources_are_read(self):
        (self.folder / "secret.txt").write_text("password\n")
        (self.folder / "a.cu").write_text("line\n")
        os.mkfifo(self.folder / "pipe.cu")
        places = ["secret.txt:1 (f)", str(self.folder / "secret.txt") + ":1", "pipe.cu:1 (f)", "a.cu:9 (f)", "a.cu:1 (f)"]
        for place in places:
            text = f"cohort: failure in kernel f <<<(1,1,1), (1,1,1)>>>\n  x\n  thread (0,0,0) of block (0,0,0), at {place}\n"
            self.assertEqual(list(self.content(text)["sources"]), [place] if place == "a.cu:1 (f)" else [])


command.main()
