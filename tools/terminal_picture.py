#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the output of a program as a terminal shows it:  terminal_picture.py PICTURE COMMAND LINE... <OUTPUT

COMMAND LINE... stand before the output, each behind a prompt. docs/pictures/race.svg shows race.cu of tests/view:
  ./race 2>&1 >/dev/null | tools/terminal_picture.py docs/pictures/race.svg 'cohortcc -g --check race.cu -o race' ./race"""

import html
import pathlib
import sys

sys.dont_write_bytecode = True  # Python writes no __pycache__ into the checkout

import svg

SIZE, LINE, MARGIN = 13, 19, 18
ADVANCE = 0.602 * SIZE  # the advance of DejaVu Sans Mono, which is at least that of fonts that replace it
STYLE = svg.style(
    {"page": "#f6f8fa", "text": "#1f2328", "prompt": "#0b6e4f", "error": "#b3350f"},
    {"page": "#14181d", "text": "#dfe4ea", "prompt": "#5fd3a6", "error": "#f0883e"}, """
.page { fill: $page; }
text { font: 13px "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: $text; white-space: pre; }
.prompt { fill: $prompt; } .error { fill: $error; font-weight: bold; }
""")


def picture(commands, output):
    lines = [(f"$ {command}", "prompt") for command in commands]
    lines += [(line, "error" if line.startswith("cohort: ") else "") for line in output.splitlines()]
    width = round(max(len(line) for line, _ in lines) * ADVANCE + 2 * MARGIN)
    height = LINE * len(lines) + 2 * MARGIN - 4
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="Output of '
             f'{html.escape(commands[-1])}">', f"<style>{STYLE}</style>",
             f'<rect width="{width}" height="{height}" rx="8" class="page"/>']
    for at, (line, kind) in enumerate(lines):
        indent = len(line) - len(line.lstrip())  # viewers drop spaces at the beginning of a text
        parts.append(svg.text(MARGIN + indent * ADVANCE, MARGIN + 11 + at * LINE, line.lstrip(), kind))
    return "\n".join([*parts, "</svg>", ""])


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    pathlib.Path(arguments[0]).write_text(picture(arguments[1:], sys.stdin.read()))


if __name__ == "__main__":
    main(sys.argv[1:])
