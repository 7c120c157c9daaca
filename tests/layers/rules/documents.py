# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for the links and the names of code in Markdown files."""

import posixpath
import re

from sources import line_of

NAMED_PLACE = re.compile(r"`([\w.+-]+(?:/[\w.+-]+)+): ([\w:~]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *#* *$", re.M)


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
}
