# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The source rules, by topic. A rule takes a tree {path: text} and yields (path, line, sentence).

Each module has RULES: {rule: its bad samples}. A bad sample is a path and a text: samples.GOOD with this file added or
replaced breaks the rule at that path. A sample may also be a tree of several files and the path that breaks the rule."""

from rules import compiler, documents, engine, files, floors, ideas, machines, runtime, tests, user_macros, words

MODULES = [files, ideas, floors, machines, engine, compiler, runtime, tests, documents, words, user_macros]
ALL = {rule: bad_samples for module in MODULES for rule, bad_samples in module.RULES.items()}
