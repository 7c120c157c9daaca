# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the source rules over a checkout:  check_layers.py ROOT

First the rules are tried on samples that break them, then on the tree. Exit status 1 and one line for each finding."""

import sys

sys.dont_write_bytecode = True  # the checkout stays clean

import rules
import samples
import sources


def main():
    broken = list(samples.problems())
    if broken:
        print("\n".join(broken))
        return 1
    tree = sources.read_tree(sys.argv[1])
    if "CMakeLists.txt" not in tree:
        print(f"{sys.argv[1]} is not the root of a checkout")
        return 1
    findings = sorted({finding for rule in rules.ALL for finding in rule(tree)})
    for path, line, sentence in findings:
        print(f"{path}:{line}: {sentence}")
    print(f"{len(rules.ALL)} rules, {len(tree)} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
