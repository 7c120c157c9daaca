# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks pictures for viewers without CSS variables:  svg_test.py ROOT PICTURE...

A picture is well-formed XML and names no CSS variable. By an estimate of the widths, its texts lie inside the view box
and do not overlap. The last check runs on pictures with one fault each."""

import itertools
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "tools"))
sys.dont_write_bytecode = True

import svg

NAME = "{http://www.w3.org/2000/svg}"
GOOD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 40"><style>
text { font: 10px "DejaVu Sans"; } .big { font-size: 20px; } .right { text-anchor: end; } .head { font-weight: bold; }
</style><text x="10" y="12">iii</text><text x="190" y="12" class="right">mmmm</text></svg>"""
FAULTS = [
    ("</svg>", "", "no element found"),
    (".big {", ".big { fill: var(--text);", "CSS variable"),
    ('x="190"', 'x="30"', "outside"),
    ('x="190" y="12" class="right"', 'x="170" y="12"', "outside"),
    ('x="10" y="12"', 'x="10" y="41"', "outside"),
    ('y="12">iii', 'y="18" class="big">mmmmmmmm', "overlap"),
    (">iii<", ">" + "i" * 48 + "<", "overlap"),
    ("<text", '<text class="new"', "no rule"),
]


class rules:
    """The properties of texts by class, from the rules outside of @media."""

    def __init__(self, style):
        plain = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^}]*\})*[^{}]*\}", "", style)
        self.found = {name: dict(part.strip().split(":", 1) for part in body.split(";") if ":" in part)
                      for name, body in re.findall(r"([.\w-]+)\s*\{([^}]*)\}", plain)}

    def value(self, classes, name, otherwise):
        for one in ["text", *(f".{kind}" for kind in classes)]:
            otherwise = self.found[one].get(name, otherwise).strip()
        return otherwise

    def size(self, classes):
        base = re.search(r"([\d.]+)px", self.value([], "font", "16px"))[1]
        return float(self.value(classes, "font-size", base).removesuffix("px"))


def boxes(picture, style):
    """Returns (left, top, right, bottom, text) of each text. Most letters have no descender, so the
    space of descenders is not counted."""
    for one in picture.iter(NAME + "text"):
        classes = (one.get("class") or "").split()
        content, size = "".join(one.itertext()), style.size(classes)
        width = (0.602 * size * len(content) if "Mono" in style.value(classes, "font", "") else
                 svg.text_width(content, size, style.value(classes, "font-weight", "") == "bold"))
        left = float(one.get("x")) - {"end": width, "middle": width / 2}.get(style.value(classes, "text-anchor", ""), 0)
        yield left, float(one.get("y")) - 0.73 * size, left + width, float(one.get("y")), content


def problems(content):
    try:
        picture = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        return [str(error)]
    found = ["it has a CSS variable, which some viewers draw black"] if "var(" in content else []
    style = rules("".join(part.text for part in picture.iter(NAME + "style")))
    classes = {kind for one in picture.iter(NAME + "text") for kind in (one.get("class") or "").split()}
    unknown = sorted(kind for kind in classes if f".{kind}" not in style.found)
    if unknown:
        return [*found, f"no rule for the class {', '.join(unknown)}"]
    x, y, width, height = map(float, picture.get("viewBox").split())
    texts = list(boxes(picture, style))
    for left, top, right, bottom, text in texts:
        if left < x or top < y or right > x + width or bottom > y + height:
            found.append(f"the text '{text}' is outside of the view box: {left:.0f} to {right:.0f} of {width:.0f}")
    for one, other in itertools.combinations(texts, 2):
        if one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]:
            found.append(f"the texts '{one[4]}' and '{other[4]}' overlap")
    return found


def main():
    failed = [f"{path}: {problem}" for path in sys.argv[2:] for problem in problems(pathlib.Path(path).read_text())]
    failed += [f"the good picture has: {problem}" for problem in problems(GOOD)]
    for old, new, sentence in FAULTS:
        found = problems(GOOD.replace(old, new, 1))
        if not any(sentence in problem for problem in found):
            failed.append(f"'{old}' became '{new}', and that goes unseen: {found}")
    print("\n".join(failed) or f"{len(sys.argv) - 2} pictures are good, {len(FAULTS)} faults are seen")
    return 1 if failed or len(sys.argv) < 3 else 0


sys.exit(main())
