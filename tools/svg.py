# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of the pictures of docs/pictures: colours of both schemes, texts, and an estimate of a text's width."""

import html
import re
import sys

# Advances of DejaVu Sans in units of the font's size, rounded up.
ADVANCE = {letter: width for width, letters in {
    0.31: "'ijlIJ", 0.34: " ,./:;\\|", 0.42: "-f()[]!tr", 0.51: "\"*_`", 0.56: "szc?L", 0.61: "FkvxyPTY",
    0.64: "$0123456789ESaebdoghnpqu{}", 0.70: "KABVXZCR", 0.79: "UNHDG&OQ", 0.88: "w#+<=>^~M", 1.0: "%mW@",
}.items() for letter in letters}
BOLD = 1.12


def style(light, dark, rules):
    """The text of a style element. `rules` has one rule a line, and `$name` for the colours. Viewers such as librsvg know
    no CSS variables, so the rules with a colour stand twice: plain, and for a dark page."""
    def filled(text, colours):
        return re.sub(r"\$(\w+)", lambda match: colours[match[1]], text)

    lines = rules.strip().splitlines()
    return "\n".join(["", *(filled(line, light) for line in lines), "@media (prefers-color-scheme: dark) {",
                      *("  " + filled(line, dark) for line in lines if "$" in line), "}", ""])


def text_width(content, size, bold=False):
    """An upper estimate of the width in the units of `size`."""
    return sum(ADVANCE.get(letter, 1.0) for letter in content) * size * (BOLD if bold else 1)


def text(x, y, content, kind=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{html.escape(content)}</text>'


def fitted(content, size, width, kind=""):
    """A text and its class: the class "small", of 0.86 times `size`, where the text is wider than `width`."""
    if text_width(content, size) <= width:
        return content, kind
    if text_width(content, 0.86 * size) > width:
        sys.exit(f"svg.py: '{content}' does not fit into {width} units; shorten it")
    return content, f"{kind} small".strip()


def wrapped(content, size, width):
    """The lines of a text that fit into `width`."""
    lines = [""]
    for word in content.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
