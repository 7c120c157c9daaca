# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the findings of the rules on words, folder by folder:  check_words.py ROOT [FOLDER...]"""

import collections
import posixpath
import sys

sys.dont_write_bytecode = True  # the checkout stays clean

import sources
from rules import words


def main():
    tree, folders = sources.read_tree(sys.argv[1]), tuple(folder.rstrip("/") + "/" for folder in sys.argv[2:])
    found = collections.defaultdict(list)
    for rule in words.RULES:
        for path, line, sentence in rule(tree):
            if not folders or path.startswith(folders):
                found[posixpath.dirname(path)].append((path, line, sentence))
    for folder, findings in sorted(found.items()):
        print(f"{folder or '.'}: {len(findings)}")
        for path, line, sentence in sorted(findings):
            print(f"  {path}:{line}: {sentence}")
    return 1 if found else 0


sys.exit(main())
