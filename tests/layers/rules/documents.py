# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for the links and the names of code in Markdown files."""

import posixpath
import re

from rules import compiler, engine
from sources import line_of

# Pages that describe floors: the list of floors in tests/layers, and the part of the page that has one item for each
# floor, lowest first, with the names of its rooms.
FLOORS = {
    "docs/design/engine.md": (engine.FLOORS, r"^\d+\. (?:.+\n)(?:   .+\n)*", r"`([\w.]+?)/?`:"),
    "docs/design/compiler.md": ([[room] for room in compiler.FLOORS], r"^\| `\w+(?:/|\.[ch]pp)` \|",
                                r"`([\w.]+?)/?`"),
}

NAMED_PLACE = re.compile(r"`([\w.+-]+(?:/[\w.+-]+)+): ([\w:~]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *#* *$", re.M)

PAGE_COLUMNS, CODE_COLUMNS = 100, 120
MADE_BY_A_TOOL = {"docs/conformance.md", "docs/ptx.md"}


def tour_is_true(tree):
    """`path/file.hpp: name` in a Markdown file: the file exists and declares or defines the name."""
    for path, text in tree.items():
        if not path.endswith(".md"):
            continue
        for match in NAMED_PLACE.finditer(text):
            file, name = match.group(1), match.group(2).split("::")[-1].lstrip("~")
            line = line_of(text, match.start())
            if file not in tree:
                yield path, line, f"names {file}, which does not exist"
                continue
            declared = rf"\b{name}\s*[(<={{;:]|\b(?:struct|class|enum|union|using|concept)\s+(?:\w+\s+)*{name}\b"
            declared += rf"|#\s*define\s+{name}\b"
            if file.endswith(".inc"):  # a row of a table
                declared += rf"|[(,]\s*{name}\s*[,)]"
            if not re.search(declared, tree[file]):
                yield path, line, f"names {name}, which {file} does not have"


def without_code_blocks(text):
    return re.sub(r"^```.*?^```", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.M | re.S)


def anchors(text):
    """The anchors of a Markdown file, as GitHub makes them from the headings."""
    found = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for heading in HEADING.findall(without_code_blocks(text)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        number = 1
        while anchor in found:
            anchor = re.sub(r"(-\d+)?$", f"-{number}", anchor, count=1)
            number += 1
        found.add(anchor)
    return found


def links_lead_somewhere(tree):
    """A link of a Markdown file to the tree leads to a file or folder, its #anchor to a heading."""
    folders = set()
    for path in tree:
        while path:
            path = posixpath.dirname(path)
            folders.add(path)
    for path, text in tree.items():
        if not path.endswith(".md"):
            continue
        for match in LINK.finditer(without_code_blocks(text)):
            link, _, anchor = match.group(1).partition("#")
            line = line_of(text, match.start())
            if re.match(r"[a-z]+:", link):
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link)) if link else path
            if target not in tree and target.rstrip("/") not in folders:
                yield path, line, f"links to {link}, which does not exist"
            elif anchor and target.endswith(".md") and anchor not in anchors(tree[target]):
                yield path, line, f"links to {link}#{anchor}, a heading that does not exist"


def pages_show_the_floors(tree):
    """A page and the rules have the same floors. The first list or table of the page with names of rooms shows them."""
    for path, (floors, item, room) in FLOORS.items():
        shown = [sorted(re.findall(room, match[0])) for match in re.finditer(item, tree.get(path, ""), re.M)]
        shown = [rooms for rooms in shown if rooms][:len(floors)]
        for number, rooms in enumerate(map(sorted, floors), 1):
            if path in tree and (number > len(shown) or shown[number - 1] != rooms):
                yield path, 1, f"floor {number} is {', '.join(rooms)} in tests/layers/rules"


def narrow_pages(tree):
    """Text in Markdown files wraps at 100 columns, code at 120. Excepted are tables, lines without a blank (a URL), and
    text that a tool makes."""
    for path, text in tree.items():
        if not path.endswith(".md") or path in MADE_BY_A_TOOL:
            continue
        is_code = is_made = False
        for number, line in enumerate(text.split("\n"), 1):
            is_code ^= line.startswith("```")
            is_made = (is_made or line.startswith("<!-- made by")) and not line.startswith("<!-- end")
            limit = CODE_COLUMNS if is_code or line.startswith("    ") else PAGE_COLUMNS
            is_excepted = is_made or line.startswith("|") or " " not in line.strip().removeprefix("- ")
            if len(line) > limit and not is_excepted:
                yield path, number, f"{len(line)} columns; the limit is {limit} in text and {CODE_COLUMNS} in code"


RULES = {
    tour_is_true: [
        ("HACKING.md", "Then `src/engine/state/wrap.hpp: arrive` runs.\n"),
        ("HACKING.md", "Then `src/engine/state/warp.hpp: depart` runs.\n"),
    ],
    links_lead_somewhere: [
        ("HACKING.md", "See [the notes](docs/note.md).\n"),
        ("HACKING.md", "See [the notes](docs/notes.md#a-headin).\n"),
        ("HACKING.md", "# One\n\nSee [below](#two).\n"),
    ],
    pages_show_the_floors: [
        ("docs/design/engine.md", "1. `fiber/`: stacks.\n2. `state/`: data. `schedule/`: orders.\n"),
        ("docs/design/compiler.md", "| `frontend/` | facts |\n| `analysis/` | questions |\n"),
    ],
    narrow_pages: [
        ("docs/notes.md", "# A heading\n\n" + "word " * 20 + "words\n"),
        ("docs/notes.md", "# A heading\n\n```\n" + "x = 1; " * 18 + "\n```\n"),
        ("docs/notes.md", "# A heading\n\n    " + "x = 1; " * 18 + "\n"),
        ("docs/notes.md", "# A heading\n<!-- made by a tool -->\n<!-- end -->\n" + "word " * 20 + "words\n"),
    ],
}
