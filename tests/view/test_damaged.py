# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports and traces with changed, lost or doubled bytes: cohort-view makes a page or prints one sentence. The test
calls the modules of the command, because 2000 processes would take minutes."""

import argparse
import pathlib
import random
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve().parent.parent / "lib" / "cohort" / "view"))

import command
import page
import problem

EVENT = '{"ph": "X", "pid": 1, "tid": 2, "ts": 1.5, "dur": 1, "name": "a", "cat": "b", "args": {"block": [1, 2, 3]}}'
ACCESS = '{"kind": "read", "bytes": 4, "thread": "thread (1, 0, 0) of block (0, 0, 0)", "place": "a.cu:9 (k)"}'
COUNTS = ('{"report": "cohort-count", "version": 1, "blocks_for_one": 1, "kernels": [{"kernel": "k", "split_accesses": 0, "accesses": '
          '[{"file": "a.cu", "line": 3, "operation": "load", "memory": "shared", "requests": 1, "lanes": 32, "bytes_of_lane": 4, '
          '"wavefronts": 2, "ideal_wavefronts": 1, "worst": {"excess": 1, "offsets": ' + str([128] * 32) + "}}]}]}")
INPUTS = [
    "[" + ",\n".join([EVENT] * 4 + ['{"ph": "M", "name": "cohort_trace", "args": {"left_out": 3, "dropped": 4}}']) + "]",
    '{"check": "race", "kernel": "k", "count": 1, "first": ' + ACCESS + ', "second": ' + ACCESS +
    ', "memory": "byte 0", "remedy": "x", "grid": [1, 1, 1], "block": [64, 1, 1]}\n',
    '{"order": "seed:3", "version": 1, "switches": [{"launch": 1}], "launches": [{"launch": 1, "kernel": "k"}], "steps": '
    '[{"launch": 1, "block": 0, "threads": [0, 3], "does": "waits", "place": "a.cu:3 (k)", "switched": true}]}',
    '{"check": "sync", "problem": "divergent", "title": "divergent barrier", "kernel": "k", "count": 1, "first": ' + ACCESS +
    ', "second": ' + ACCESS + ', "rule": "x", "grid": [1, 1, 1], "block": [64, 1, 1]}\n',
    "cohort: race between a copy and kernel k <<<(1, 1, 1), (64, 1, 1)>>>, found 1 time\n  write of 4 bytes by a copy, at "
    "a.cu:1 (main),\n  launched at a.cu:2\n  read of 4 bytes by thread (0, 0, 0) of block (0, 0, 0) of kernel k, at a.cu:3\n",
    '{"report": "cohort: deadlock in kernel k <<<(1, 1, 1), (64, 1, 1)>>>\\n  x", "blocks": [{"block": [0, 0, 0], "threads": '
    '64, "states": [{"does": "spin at a.cu:3", "threads": [[0, 63]]}]}]}\n',
    COUNTS,
]


def damage(data):
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(data) + 1)
        change = random.randrange(4)
        if change == 0:
            data[at:at + 1] = bytes([random.choice(b'{}[]":,0123456789eE-ntf\\ \n\x00\xff')])
        elif change == 1:
            del data[at:at + random.randint(1, 20)]
        elif change == 2:
            data[at:at] = data[at:at + random.randint(1, 20)]
        else:
            data[at:at] = random.choice([b"null", b"NaN", b"1e400", b'"x"', b"[]", b"{}", b"-1", b"true"])
    return data.decode("utf-8", "replace")


class Damaged(unittest.TestCase):
    def test_pages_or_sentences(self):
        random.seed(5)
        pages = 0
        with tempfile.TemporaryDirectory() as folder:
            options = argparse.Namespace(input="-", before=None, no_source=False, source_root=folder)
            for number in range(2000):
                text = damage(bytearray(INPUTS[number % len(INPUTS)].encode()))
                try:
                    content = command.content_of(text, options)
                    page.build(content, "-")
                    pages += 1
                except problem.Problem as refused:
                    self.assertNotIn("\n", str(refused))
                except Exception as error:
                    raise AssertionError(text) from error
        self.assertGreater(pages, 500)
        self.assertLess(pages, 2000)


unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
