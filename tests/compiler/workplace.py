# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A folder in which cohortcc runs, and an environment with a false CUDA toolkit, whose headers fail to compile."""

import argparse
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT = 240


class Workplace:
    def __init__(self, cohortcc, folder):
        self.cohortcc = str(pathlib.Path(cohortcc).resolve())
        self.folder = pathlib.Path(folder)
        self.toolkit = self.folder / "toolkit"
        self.temporary = self.folder / "tmp"
        (self.toolkit / "include" / "crt").mkdir(parents=True)
        self.temporary.mkdir()
        for header in ("cuda_runtime.h", "cooperative_groups.h", "host_defines.h", "crt/host_runtime.h"):
            (self.toolkit / "include" / header).write_text('#error "an installed CUDA toolkit was used"\n')
        include = str(self.toolkit / "include")
        self.environment = dict(os.environ, CUDA_PATH=str(self.toolkit), CUDA_HOME=str(self.toolkit), CPATH=include,
                                C_INCLUDE_PATH=include, CPLUS_INCLUDE_PATH=include, TMPDIR=str(self.temporary))

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def run(self, command, **environment):
        return subprocess.run([str(word) for word in command], cwd=self.folder, env=dict(self.environment, **environment),
                              capture_output=True, text=True, timeout=TIMEOUT, check=False)

    def compile(self, *arguments, **environment):
        return self.run([self.cohortcc, *arguments], **environment)

    def left_over(self):
        return sorted(path.name for path in self.temporary.iterdir())


@contextlib.contextmanager
def workplace(cohortcc):
    with tempfile.TemporaryDirectory(prefix="cohort-test-") as folder:
        yield Workplace(cohortcc, folder)


def parser():
    result = argparse.ArgumentParser()
    result.add_argument("--cohortcc", required=True)
    return result


class WorkplaceTest(unittest.TestCase):
    """A test case in which each test has its own workplace, `place`."""
    cohortcc = None

    def setUp(self):
        context = workplace(self.cohortcc)
        self.place = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)


def main():
    """Runs the WorkplaceTests of the script."""
    options, rest = parser().parse_known_args()
    WorkplaceTest.cohortcc = os.path.abspath(options.cohortcc)
    unittest.main(module="__main__", argv=sys.argv[:1] + rest)


def line_of(text, source):
    """The number of the one line of `source` that contains `text`."""
    (found,) = [number for number, line in enumerate(source.splitlines(), 1) if text in line]
    return found
