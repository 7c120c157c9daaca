# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the source rules over a checkout:  check_layers.py ROOT

First the rules are tried on samples that break them, then on the tree. Exit status 1 and one line for each finding."""

import os
import sys

sys.dont_write_bytecode = True  # the checkout stays clean

import rules
import samples



def read_tree(root):
    tree = {}
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not is_skipped(folder, name)]
        for name in files:
            if name == ".git":  # of a linked work tree
                continue
            path = os.path.join(folder, name)
            try:
                with open(path, encoding="utf-8") as file:
                    tree[os.path.relpath(path, root).replace(os.sep, "/")] = file.read()
            except UnicodeDecodeError:
                pass  # a picture
    return tree


def is_skipped(folder, name):
    hidden = name.startswith(".") and name != ".ci"
    built = name.startswith("build") and os.path.exists(os.path.join(folder, name, "CMakeCache.txt"))
    return hidden or built or name == "__pycache__"


def main():
    broken = samples.problems()
    if broken:
        print("\n".join(broken))
        return 1
    tree = read_tree(sys.argv[1])
    if "CMakeLists.txt" not in tree:
        print(f"{sys.argv[1]} is not the root of a checkout")
        return 1
    findings = sorted({finding for rule in rules.ALL for finding in rule(tree)})
    for path, line, sentence in findings:
        print(f"{path}:{line}: {sentence}")
    print(f"{len(rules.ALL)} rules, {len(tree)} files, {len(findings)} findings")
    return 1 if findings else 0


sys.exit(main())
