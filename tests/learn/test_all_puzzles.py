# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Begins and solves puzzles by the command:  test_all_puzzles.py PREFIX SOURCE [NUMBER...]

PREFIX is a build folder or an installation. Without numbers it takes each puzzle."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

PREFIX, SOURCE = (pathlib.Path(path).resolve() for path in sys.argv[1:3])


def learn(folder, *arguments):
    done = subprocess.run([PREFIX / "bin" / "cohort", "learn", *arguments], cwd=folder, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300, check=False)
    return done.returncode, done.stdout


def main():
    failures, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for puzzle in sorted(SOURCE.glob("learn/[0-9][0-9]-*")):
            number = puzzle.name[:2]
            if sys.argv[3:] and number not in sys.argv[3:]:
                continue
            count += 1
            for step, expected, text in (("hole", 1, "the hole has no answer yet"), ("solution", 0, "kernel.cu: solved.")):
                if step == "solution":
                    shutil.copy(puzzle / "solution" / "kernel.cu", pathlib.Path(folder) / "cohort-learn" / puzzle.name)
                status, output = learn(folder, number)
                if status != expected or text not in output:
                    failures.append(f"{puzzle.name}, {step}: status {status}\n{output}")
        status, output = learn(folder)
        if f"{count} of 20 solved." not in output:
            failures.append(output)
    print("\n".join(failures) or f"{count} puzzles begun and solved")
    return 1 if failures else 0


sys.exit(main())
