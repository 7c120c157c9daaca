#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cohort matrix` runs a command for each GPU:  test_matrix.py COHORT INFO"""

import pathlib
import re
import subprocess
import sys
import unittest


def matrix(*arguments):
    run = subprocess.run([cohort, "matrix", *arguments], text=True, capture_output=True, check=False)
    return run.returncode, run.stdout, run.stderr


class Matrix(unittest.TestCase):
    def test_each_run_sees_its_gpu(self):
        status, out, _ = matrix("--gpus", "t4,H100", "--", info)
        self.assertEqual(status, 0)
        self.assertEqual(re.findall(r"^  CUDA capability major.minor +(\S+)$", out, re.MULTILINE), ["7.5", "9.0"])
        self.assertEqual(re.findall(r"^  Multiprocessors +(\d+)$", out, re.MULTILINE), ["40", "132"])
        self.assertRegex(out, r"\nGPU +capability +multiprocessors +result +seconds\nt4 +7\.5 +40 +passed +\d+\.\d\n"
                              r"h100 +9\.0 +132 +passed +\d+\.\d\n$")

    def test_one_failure_fails(self):
        status, out, _ = matrix("--gpus", "t4,l4,h100", "--", "bash", "-c", "[[ $COHORT_GPU != l4 ]] || exit 7")
        self.assertEqual(status, 1)
        self.assertRegex(out, r"t4 +7\.5 +40 +passed .*\nl4 +8\.9 +58 +exit status 7 .*\nh100 +9\.0 +132 +passed ")
        status, out, _ = matrix("--gpus", "a100", "--", "bash", "-c", "kill -SEGV $$")
        self.assertEqual(status, 1)
        self.assertIn("ended by SIGSEGV", out)

    def test_wrong_command_lines(self):
        for arguments, words in ((("--gpus", "t4,gtx", "--", "true"), "'gtx' is not known. The GPUs are t4, a100,"),
                                 (("--gpus", "t4,T4", "--", "true"), "names t4 twice"),
                                 (("--gpus", "t4", "--"), "needs a command"),
                                 (("--gpus", "t4", "--", "/no/such/program"), "/no/such/program cannot be started"),
                                 (("--", "true"), "--gpus")):
            status, out, errors = matrix(*arguments)
            self.assertEqual((status, out.count("seconds")), (2, 0), arguments)
            self.assertIn(words, errors)

    def test_the_engine_knows_the_names(self):
        run = subprocess.run([info], env={"COHORT_GPU": "gtx"}, text=True, capture_output=True, check=False)
        self.assertEqual(run.returncode, 2)
        listed = re.search(r"COHORT_GPU=gtx is not valid: expected (.*) \(the GPU", run.stderr)
        names = re.findall(r"[a-z0-9-]+", listed[1].replace(" or ", " "))
        errors = matrix("--gpus", "none", "--", "true")[2]
        self.assertEqual(names, re.findall(r"[a-z0-9-]+", errors.split("The GPUs are ")[1]))


if __name__ == "__main__":
    cohort, info = (str(pathlib.Path(argument)) for argument in sys.argv[1:3])
    del sys.argv[1:3]
    unittest.main()
