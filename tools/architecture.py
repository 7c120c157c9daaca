#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the rooms of the source tree and the includes between them:  architecture.py ROOT --write|--check

A room is a folder of include/ or src/ with code; tools/rooms.json has one line for each. The rooms go into the picture
docs/pictures/architecture.svg and into the table of docs/design/architecture.md. With --check, exit status 1 and one
line for each difference between the tree and the two: a room or an arrow that is new or gone, a room without a line."""

import collections
import html
import json
import pathlib
import posixpath
import re
import sys

sys.dont_write_bytecode = True  # the checkout stays clean

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.M)
SUFFIXES = (".hpp", ".cpp", ".h", ".S", ".inc")
# Folders below which `#include "x"` is found, beside the folder of the file.
SEARCH = ["include", "include/cudart", "include/compat", "src", "src/engine", "src/runtime", "src/compiler",
          "src/compiler/plugin"]
# Panels of the picture: column, title, and the folders that it shows.
PANELS = [
    (0, "include/cohort: the library", ["include/compat", "include/cohort"]),
    (0, "include/cudart: CUDA's headers for the CPU", ["include/cudart"]),
    (1, "src/compiler: cohortcc", ["src/compiler"]),
    (1, "src/runtime: CUDA's runtime and driver API", ["src/runtime", "src/info"]),
    (1, "src/engine: threads on a CPU", ["src/engine"]),
]
BEGIN, END = "<!-- made by tools/architecture.py -->", "<!-- end of the table -->"
STYLE = """
svg {
  --page: #ffffff; --text: #1f2328; --soft: #59636e; --panel: #f4f6f8; --box: #ffffff; --edge: #b9c3cd;
  --arrow: #6b7885; --door: #0b6e4f;
}
@media (prefers-color-scheme: dark) {
  svg {
    --page: #14181d; --text: #dfe4ea; --soft: #98a3ae; --panel: #1b2128; --box: #262e37; --edge: #465260;
    --arrow: #8794a1; --door: #5fd3a6;
  }
}
.page { fill: var(--page); } .panel { fill: var(--panel); } .box { fill: var(--box); stroke: var(--edge); }
.door { fill: var(--box); stroke: var(--door); stroke-width: 1.6; } .way { fill: none; stroke: var(--arrow); stroke-width: 1.1; }
.tip { fill: var(--arrow); } text { font: 11px "DejaVu Sans", Verdana, sans-serif; fill: var(--text); }
.soft { fill: var(--soft); font-size: 9.5px; } .head { font-weight: bold; } .middle { text-anchor: middle; }
"""
WIDTH, GAP, ROW, BOX = 960, 14, 50, 24


def room_of(path):
    """The folder of a file; the pages between kernels and what launches them are rooms of their own."""
    return path if posixpath.basename(path) == "port.hpp" else posixpath.dirname(path)


def read_graph(root):
    """The rooms of the tree, and the pairs of rooms of which the first includes the second."""
    files = {path.relative_to(root).as_posix(): path for folder in ("include", "src")
             for path in (root / folder).rglob("*") if path.is_file()}
    files = {name: path for name, path in files.items()
             if name.endswith(SUFFIXES) or (name.startswith("include/") and "." not in posixpath.basename(name))}
    rooms, arrows = {room_of(name) for name in files}, set()
    for name, path in files.items():
        for included in INCLUDE.findall(path.read_text()):
            for folder in [posixpath.dirname(name), *SEARCH]:
                target = posixpath.normpath(posixpath.join(folder, included))
                if target in files:
                    if room_of(target) != room_of(name):
                        arrows.add((room_of(name), room_of(target)))
                    break
    return rooms, arrows


def is_inside(room, folders):
    return any(room == folder or room.startswith(folder + "/") for folder in folders)


def reachable(start, arrows):
    found, todo = set(), [start]
    while todo:
        for target in arrows[todo.pop()]:
            if target not in found:
                found.add(target)
                todo.append(target)
    return found


def without_shortcuts(pairs):
    """Leaves out an arrow where a longer way leads to the same room."""
    arrows = collections.defaultdict(set)
    for start, end in pairs:
        arrows[start].add(end)
    kept = set()
    for start, end in pairs:
        others = collections.defaultdict(set, {room: set(ends) for room, ends in arrows.items()})
        others[start].discard(end)
        if end not in reachable(start, others):
            kept.add((start, end))
        else:
            arrows[start].discard(end)
    return kept


def downward(pairs):
    """The arrows that order the floors: not those from a room back to a room around it that leads to it."""
    arrows = collections.defaultdict(set)
    for start, end in pairs:
        arrows[start].add(end)
    return {(start, end) for start, end in pairs
            if not (start.startswith(end + "/") and start in reachable(end, arrows))}


def floors(rooms, pairs):
    """The floor of each room: one above the highest room that it includes. Rooms of a cycle share a floor."""
    arrows = collections.defaultdict(set)
    for start, end in pairs:
        arrows[start].add(end)
    below = {room: reachable(room, arrows) for room in rooms}
    height = {}

    def visit(room):
        if room not in height:
            cycle = {other for other in below[room] if room in below[other]} | {room}
            ends = {end for member in cycle for end in arrows[member]} - cycle
            top = 1 + max((visit(end) for end in sorted(ends)), default=-1)
            height.update(dict.fromkeys(cycle, top))
        return height[room]

    for room in sorted(rooms):
        visit(room)
    return height


def label(room, folders):
    base = "include/cohort" if room.startswith("include/cohort") else max(
        (folder for folder in folders if is_inside(room, [folder])), key=len)
    inner = room[len(base):].lstrip("/")
    if room.startswith("include/compat/"):
        return room[len("include/"):]
    return inner.removeprefix("cudart_detail/") or posixpath.basename(base) + ("/*.hpp" if base == "include/cohort" else "")


class panel:
    """Places the rooms of one part of the tree in rows, the highest floor at the top."""

    def __init__(self, title, folders, rooms, arrows, width):
        self.title, self.folders, self.width = title, folders, width
        self.rooms = sorted(room for room in rooms if is_inside(room, folders))
        self.pairs = {pair for pair in arrows if all(is_inside(room, folders) for room in pair)}
        order = downward(self.pairs)
        height = floors(self.rooms, order)
        self.top = max(height.values(), default=0)
        self.rows = [[room for room in self.rooms if self.top - height[room] == row] for row in range(self.top + 1)]
        self.drawn = without_shortcuts(order)
        outside = {end for start, end in arrows if start in self.rooms and end not in self.rooms}
        self.uses = sorted(outside)
        self.height = 40 + ROW * len(self.rows) + (14 if self.uses else 0)
        self.place()

    def widths(self, row):
        names = [max(6.6 * len(label(room, self.folders)) + 18, 50) for room in row]
        spare = self.width - 2 * GAP - sum(names) - GAP * (len(row) - 1)
        return [name + min(max(spare / len(row), spare if spare < 0 else 0), 46) for name in names]

    def place(self):
        """Orders each row by the middle of the rooms above and below, a few times, then fixes the boxes."""
        self.box = {}
        for turn in range(7):
            for at, row in enumerate(self.rows):
                if turn:
                    row.sort(key=self.middle)
                widths = self.widths(row)
                x = (self.width - sum(widths) - GAP * (len(row) - 1)) / 2
                for room, width in zip(row, widths):
                    self.box[room] = (x, 40 + ROW * at, width)
                    x += width + GAP

    def middle(self, room):
        near = [other for pair in self.drawn if room in pair for other in pair if other != room]
        own = self.box[room][0] + self.box[room][2] / 2
        places = [self.box[other][0] + self.box[other][2] / 2 for other in near]
        return (sum(places) / len(places) if places else own, room)

    def draw(self, left, top):
        parts = [f'<rect x="{left}" y="{top}" width="{self.width}" height="{self.height}" rx="8" class="panel"/>',
                 f'<text x="{left + GAP}" y="{top + 22}" class="head">{html.escape(self.title)}</text>']
        if self.uses:
            names = ", ".join(short(room) for room in merged(self.uses))
            parts.append(f'<text x="{left + GAP}" y="{top + self.height - 10}" class="soft">also includes {names}</text>')
        parts += [self.arrow(start, end, left, top) for start, end in sorted(self.drawn)]
        for room in self.rooms:
            x, y, width = self.box[room]
            kind = "door" if room.endswith("port.hpp") else "box"
            parts.append(f'<rect x="{left + x:.1f}" y="{top + y}" width="{width:.1f}" height="{BOX}" rx="5" class="{kind}"/>')
            parts.append(f'<text x="{left + x + width / 2:.1f}" y="{top + y + 16}" class="middle">'
                         f"{html.escape(label(room, self.folders))}</text>")
        return parts

    def arrow(self, start, end, left, top):
        """From the lower edge of one box to the upper edge of the other, at places ordered by the other ends."""
        def port(room, other, all_others):
            x, _, width = self.box[room]
            order = sorted(all_others, key=lambda one: self.box[one][0] + self.box[one][2] / 2)
            return x + width * (order.index(other) + 1) / (len(order) + 1)

        x1 = left + port(start, end, [b for a, b in self.drawn if a == start])
        x2 = left + port(end, start, [a for a, b in self.drawn if b == end])
        y1, y2 = top + self.box[start][1] + BOX, top + self.box[end][1] - 5
        tip = f'<path d="M{x2 - 3.5:.1f} {y2 - 1:.1f} h7 l-3.5 6 z" class="tip"/>'
        bend = (y2 - y1) / 2
        if y2 < y1:  # rooms of a cycle, on one floor: below both boxes
            y2, bend = y1, 16
            tip = f'<path d="M{x2 - 3.5:.1f} {y2 + 6:.1f} h7 l-3.5 -6 z" class="tip"/>'
        lower = y2 + bend if y2 == y1 else y2 - bend
        return (f'<path d="M{x1:.1f} {y1:.1f} C{x1:.1f} {y1 + bend:.1f} {x2:.1f} {lower:.1f} {x2:.1f} {y2:.1f}" class="way"/>'
                + tip)


def short(room):
    return re.sub(r"^(include/cohort/|include/|src/)", "", room)


def merged(rooms):
    """Leaves out the folders inside of another one that is in the list."""
    return [room for room in rooms if not any(room.startswith(other + "/") for other in rooms)]


def picture(rooms, arrows):
    width = (WIDTH - 3 * GAP) / 2
    tops, parts = [GAP, GAP], []
    for column, title, folders in PANELS:
        if any(is_inside(room, folders) for room in rooms):
            made = panel(title, folders, rooms, arrows, width)
            parts += made.draw(GAP + column * (width + GAP), tops[column])
            tops[column] += made.height + GAP
    height = max(tops) + 18
    note = ("An arrow: files of one folder include files of the other. Implied arrows are left out. "
            "Green: the pages between kernels and launches.")
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="Rooms of the source tree">',
        f"<style>{STYLE}</style>", f'<rect width="{WIDTH}" height="{height}" rx="8" class="page"/>', *parts,
        f'<text x="{GAP}" y="{height - 12}" class="soft">{note}</text>', "</svg>", ""])


def table(rooms, lines, arrows):
    rows = [BEGIN, "| room | holds | includes |", "| --- | --- | --- |"]
    for room in sorted(rooms):
        ends = ", ".join(f"`{short(end)}`" for end in sorted({end for start, end in arrows if start == room}))
        rows.append(f"| `{room}` | {lines.get(room, '')} | {ends} |")
    return "\n".join([*rows, END])


def main(arguments):
    if len(arguments) != 2 or arguments[1] not in ("--write", "--check"):
        sys.exit(__doc__)
    root = pathlib.Path(arguments[0])
    rooms, arrows = read_graph(root)
    lines = json.loads((root / "tools/rooms.json").read_text())
    problems = [f"tools/rooms.json has no line for the room {room}" for room in sorted(rooms - set(lines))]
    problems += [f"tools/rooms.json has a line for {room}, which has no code" for room in sorted(set(lines) - rooms)]
    drawn, page = root / "docs/pictures/architecture.svg", root / "docs/design/architecture.md"
    text = page.read_text()
    begin, end = text.index(BEGIN), text.index(END) + len(END)
    wanted = text[:begin] + table(rooms, lines, arrows) + text[end:]
    if arguments[1] == "--write":
        drawn.parent.mkdir(parents=True, exist_ok=True)
        drawn.write_text(picture(rooms, arrows))
        page.write_text(wanted)
    elif drawn.read_text() != picture(rooms, arrows) or text != wanted:
        problems.append("docs/pictures/architecture.svg and the table of docs/design/architecture.md do not show this tree; "
                        "run tools/architecture.py . --write")
    print("\n".join(problems) or f"{len(rooms)} rooms, {len(arrows)} arrows")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
