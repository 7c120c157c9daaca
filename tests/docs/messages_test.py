# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The messages that a page quotes are those of the sources:  messages_test.py ROOT PAGE

A block without a language is one message. The words of PLACEHOLDERS in it stand for parts that vary; each part between
them is in a string of include/ or src/. Breaks of lines do not count."""

import pathlib
import re
import sys

sys.dont_write_bytecode = True  # the checkout stays clean

from page_blocks import blocks

PLACEHOLDERS = re.compile(r"\b(?:KERNEL|N|FILE|LINE|NAME|VALUE|VERSION|PATH|STATEMENT|SENTENCE|REASON)\b")
SUFFIXES = {".cpp", ".hpp", ".h", ".inc", ".sh", ".py"}
SHORTEST = 4  # characters of the shortest part that is searched for


def strings(text):
    """The string literals of a source, where adjacent ones are joined."""
    joined = re.sub(r'"\s*\n\s*"', "", text)
    return [re.sub(r"\\(.)", lambda escape: " " if escape[1] == "n" else escape[1], body)
            for body in re.findall(r'"((?:[^"\\\n]|\\.)*)"', joined)]


def all_strings(root):
    files = [path for folder in ("include", "src") for path in (root / folder).rglob("*") if path.suffix in SUFFIXES]
    return "\n".join(" ".join(text.split()) for path in files for text in strings(path.read_text(errors="replace")))


def main():
    root, page = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    known, found, parts = all_strings(root), [], 0
    for block in blocks(page.read_text()):
        if block.language:
            continue
        looked_for = [" ".join(part.split()) for part in PLACEHOLDERS.split(block.body)]
        looked_for = [part for part in looked_for if len(part) >= SHORTEST]
        found += [f"line {block.line}: no string of the sources has '{part}'" for part in looked_for if part not in known]
        found += [f"line {block.line}: the block has no text of a message"] if not looked_for else []
        parts += len(looked_for)
    if parts == 0:
        found.append("the page quotes no message")
    print("\n".join(f"{page.name}: {finding}" for finding in found) or f"{page.name}: {parts} parts of messages")
    return 1 if found else 0


sys.exit(main())
