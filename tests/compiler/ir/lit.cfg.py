# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configuration of lit for the tests of single passes. run_ir.py gives the parameters."""

import os

import lit.formats

config.name = "cohort-ir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["work"]
config.environment["PATH"] = lit_config.params["tools"] + os.pathsep + os.environ["PATH"]
config.substitutions += [("%cohort", "opt -S -load-pass-plugin=" + lit_config.params["passes"] + " -passes")]
