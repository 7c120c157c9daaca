# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cohort threads` and the pretty printers of groups, in gdb.

Usage: test_gdb.py SCRIPT PROGRAMS"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

SCRIPT, PROGRAMS = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
STOP = next(number for number, line in enumerate((pathlib.Path(__file__).with_name("groups.cu")).read_text().splitlines(), 1)
            if "// stop here" in line)


def debug(program, *commands, **variables):
    options = [option for text in (f"source {SCRIPT}", "set width 0", *commands) for option in ("-ex", text)]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COHORT_", "DEBUGINFOD"))}
    run = subprocess.run(["gdb", "-nx", "-batch", *options, PROGRAMS / program], capture_output=True, text=True, timeout=600,
                         check=False, stdin=subprocess.DEVNULL, env={**kept, "COHORT_WORKERS": "1", **variables})
    if "ptrace" in run.stderr and "not permitted" in run.stderr:
        raise unittest.SkipTest("gdb may not trace processes here")
    return run.stdout + run.stderr


class Gdb(unittest.TestCase):
    def test_threads_and_groups_at_a_breakpoint(self):
        text = debug("groups", f"break groups.cu:{STOP}", "run", "cohort threads", "print block", "print tile", "print active",
                     "print any")
        self.assertIn("block (0, 0, 0) of work(int*), 70 threads\n", text)
        listed = re.findall(r"^ +(\d+) ([-0-9, ]+): (.*)$", text, re.M)
        self.assertEqual(sum(int(count) for count, _, _ in listed), 70)
        self.assertIn(("1", "40", f"runs, at groups.cu:{STOP} (work)"), listed)
        self.assertRegex(text, r"32-39, 41-47: waits in shfl with lane mask 0x0000ffff; lanes 0x00000100 are missing, "
                               rf"at groups.cu:{STOP + 2} \(work\)")
        self.assertIn("= thread_block\n", text)
        self.assertIn("= thread_block_tile<16>: 16 threads, lanes 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15, rank 2 of 5", text)
        self.assertIn("= coalesced_group: 1 threads, lanes 8", text)
        self.assertIn("= thread_group: 16 threads, lanes 0 1", text)

    def test_threads_of_a_deadlock(self):
        text = debug("deadlock", "break cohort_debug_report", "run", "cohort threads")
        self.assertRegex(text, r"50 0-49: waits at the block's barrier, at deadlock.cu:\d+ \(scale\)\n")
        self.assertRegex(text, r"14 50-63: waits in __shfl_sync with lane mask 0xffffffff; lanes 0x0003ffff are missing, at ")
        self.assertIn("32 64-95: returned\n", text)
        self.assertIn("block (0, 0, 0) of scale(float*, int, float), 96 threads\n", text)

    def test_loops_over_threads(self):
        text = debug("overrun_lines", "break overrun.cu:7", "run", "continue", "cohort threads")
        self.assertRegex(text, r"block \(\d, 0, 0\), thread \(\d+, 0, 0\): runs, at overrun.cu:7 \(fill\)\n.* never waits:\n"
                               r"  compile it with -G or -O0 ")

    def test_after_the_end(self):
        for end in (["kill"], ["delete breakpoints", "continue"]):
            text = debug("deadlock", "set confirm off", "break cohort_debug_report", "run", *end, "cohort threads")
            self.assertIn("cohort: the program does not run; `run` starts it\n", text)
            self.assertNotIn("Python", text)

    def test_outside_of_kernels(self):
        self.assertIn("No CUDA thread runs", debug("groups", "break main", "run", "cohort threads"))
        text = debug("groups", "cohort threads")
        self.assertNotIn("Traceback", text)

    def test_other_programs(self):
        run = subprocess.run(["gdb", "-nx", "-batch", "-ex", f"source {SCRIPT}", "-ex", "cohort threads", "/bin/true"],
                             capture_output=True, text=True, timeout=600, check=False, stdin=subprocess.DEVNULL)
        self.assertIn("cohort: the program has no symbol", run.stdout + run.stderr)
        self.assertNotIn("Traceback", run.stdout + run.stderr)


if not shutil.which("gdb"):
    print("skipped: gdb is not installed")
    sys.exit(77)
unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
