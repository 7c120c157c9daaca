#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the rooms of the source tree and the includes between them:  architecture.py ROOT --write|--check

A room is a folder of include/ or src/ with code; tools/rooms.json has one line for each. The rooms go into the picture
docs/pictures/architecture.svg, deep folders as one, and into the table of docs/design/architecture.md. With --check, exit status 1 and one
line for each difference between the tree and the two: a room or an arrow that is new or gone, a room without a line."""

import collections
import html
import json
import pathlib
import posixpath
import re
import sys

sys.dont_write_bytecode = True  # Python writes no __pycache__ into the checkout

import svg

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.M)
SUFFIXES = (".hpp", ".cpp", ".h", ".S", ".inc")
# Folders below which `#include "x"` is found, beside the folder of the file.
SEARCH = ["include", "include/cudart", "include/compat", "src", "src/compiler/driver", "src/compiler/plugin"]
# Panels of the picture: column (None: both), title, and the folders that it shows.
PANELS = [
    (None, "include/cohort: the library", ["include/compat", "include/cohort"]),
    (0, "include/cudart: CUDA's headers for the CPU", ["include/cudart"]),
    (1, "src/engine: threads on a CPU", ["src/engine"]),
    (None, "src/runtime: CUDA's runtime and driver API; src/libraries", ["src/runtime", "src/libraries", "src/info"]),
    (None, "src/compiler: cohortcc", ["src/compiler"]),
]
BEGIN, END = "<!-- made by tools/architecture.py -->", "<!-- end of the table -->"
STYLE = svg.style(
    {"page": "#ffffff", "text": "#1f2328", "soft": "#59636e", "panel": "#f4f6f8", "box": "#ffffff", "edge": "#b9c3cd",
     "arrow": "#6b7885", "door": "#0b6e4f"},
    {"page": "#14181d", "text": "#dfe4ea", "soft": "#98a3ae", "panel": "#1b2128", "box": "#262e37", "edge": "#465260",
     "arrow": "#8794a1", "door": "#5fd3a6"}, """
.page { fill: $page; } .panel { fill: $panel; } .box { fill: $box; stroke: $edge; }
.door { fill: $box; stroke: $door; stroke-width: 1.6; } .way { fill: none; stroke: $arrow; stroke-width: 1.1; }
.cycle { fill: none; stroke: $arrow; stroke-dasharray: 4 3; } .tip { fill: $arrow; }
text { font: 11px "DejaVu Sans", Verdana, sans-serif; fill: $text; }
.halo { stroke: $panel; stroke-width: 4; paint-order: stroke; }
.soft { fill: $soft; font-size: 9.5px; } .head { font-weight: bold; } .middle { text-anchor: middle; }
""")
WIDTH, GAP, ROW, BOX, NOTE = 960, 14, 50, 24, 9.5


def room_of(path):
    """The folder of a file; the pages between kernels and what launches them are rooms of their own."""
    return path if posixpath.basename(path) in ("port.hpp", "trace_port.hpp", "world_port.hpp") else posixpath.dirname(path)


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
    """The arrows that determine floors: all but those by which a room includes a room around it that also leads to the
    room."""
    arrows = collections.defaultdict(set)
    for start, end in pairs:
        arrows[start].add(end)
    return {(start, end) for start, end in pairs
            if not (start.startswith(end + "/") and start in reachable(end, arrows))}


def cycles(rooms, pairs):
    """{room: the rooms of its include cycle, itself among them}."""
    arrows = collections.defaultdict(set)
    for start, end in pairs:
        arrows[start].add(end)
    below = {room: reachable(room, arrows) for room in rooms}
    return {room: frozenset(other for other in below[room] if room in below[other]) | {room} for room in rooms}


def floors(rooms, pairs):
    """The floor of each room: below all rooms that include it, as high as possible. Rooms of a cycle share a floor."""
    cycle = cycles(rooms, pairs)
    ends, starts, height = collections.defaultdict(set), collections.defaultdict(set), {}
    for start, end in pairs:
        if cycle[start] != cycle[end]:
            ends[cycle[start]].add(cycle[end])
            starts[cycle[end]].add(cycle[start])

    def from_below(group):
        if group not in height:
            height[group] = 1 + max((from_below(end) for end in ends[group]), default=-1)
        return height[group]

    for group in sorted(set(cycle.values()), key=sorted):
        from_below(group)
    for group in sorted(height, key=lambda one: (-height[one], sorted(one))):
        height[group] = min((height[start] for start in starts[group]), default=height[group] + 1) - 1
    return {room: height[cycle[room]] for room in rooms}


def label(room, folders):
    base = "include/cohort" if room.startswith("include/cohort") else max(
        (folder for folder in folders if is_inside(room, [folder])), key=len)
    inner = room[len(base):].lstrip("/")
    if room == "src/engine":
        return "port.cpp"  # the only file of this room
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
        top = max(height.values(), default=0)
        self.cycle = cycles(self.rooms, order)
        ways = without_shortcuts({(start, end) for start, end in order if self.cycle[start] != self.cycle[end]})
        row_of = self.split_wide_rows({room: top - height[room] for room in self.rooms}, ways)
        self.rows = [[room for room in self.rooms if row_of[room] == row]
                     for row in range(max(row_of.values(), default=0) + 1)]
        self.ways = [self.way(start, end, row_of[start], row_of[end]) for start, end in sorted(ways)]
        self.steps = [step for way in self.ways for step in zip(way, way[1:])]
        self.uses = sorted({end for start, end in arrows if start in self.rooms and end not in self.rooms})
        names = ", ".join(short(room) for room in merged(self.uses))
        self.notes = svg.wrapped(f"also includes {names}", NOTE, width - 2 * GAP) if self.uses else []
        self.height = 40 + ROW * len(self.rows) + 14 * len(self.notes)
        self.place()

    def split_wide_rows(self, row_of, ways):
        """The row of each room: where a floor is too wide for one row, its last rooms that are in no cycle have another."""
        row = 0
        while row <= max(row_of.values(), default=-1):
            rooms = [room for room in self.rooms if row_of[room] == row]
            passing = sum(row_of[start] < row < row_of[end] for start, end in ways)
            spare = self.width - 2 * GAP + 4 - sum(self.least_width(room) + 4 for room in rooms) - 6 * passing
            moved = []
            for room in [room for room in reversed(rooms) if len(self.cycle[room]) == 1]:
                if spare >= 0:
                    break
                spare += self.least_width(room) + 4
                moved.append(room)
            if moved:
                row_of = {room: at + (at > row or room in moved) for room, at in row_of.items()}
            row += 1
        return row_of

    def way(self, start, end, first, last):
        """Splits an arrow into stations: each row between its ends gets a gap for it, so that no box covers the arrow.
        """
        gaps = [f"gap {start} {end} {row}" for row in range(first + 1, last)]
        for row, gap in enumerate(gaps, first + 1):
            self.rows[row].append(gap)
            self.cycle[gap] = {gap}
        return [start, *gaps, end]

    def least_width(self, room):
        return 2 if room.startswith("gap ") else max(svg.text_width(label(room, self.folders), 11) + 8, 42)

    def widths(self, row):
        """The widths of the boxes of a row, and the space between two of them."""
        names = [self.least_width(room) for room in row]
        gap = min(max((self.width - 2 * GAP - sum(names)) / max(len(row) - 1, 1), 4), GAP)
        spare = self.width - 2 * GAP - sum(names) - gap * (len(row) - 1)
        boxes = sum(not room.startswith("gap ") for room in row)
        if spare < -0.1:
            sys.exit(f"architecture.py: a floor of the panel '{self.title}' has {boxes} rooms, which do not fit side by side")
        return [name if name == 2 else name + min(spare / boxes, 46) for name in names], gap

    def place(self):
        """Orders each row by the middle of its neighbours above and below, a few times, then fixes the boxes."""
        self.box = {}
        for turn in range(9):
            for at, row in enumerate(self.rows):
                if turn:
                    row.sort(key=lambda room: (len(self.cycle[room]) > 1, self.middle(room)))
                widths, gap = self.widths(row)
                x = (self.width - sum(widths) - gap * (len(row) - 1)) / 2
                for room, width in zip(row, widths):
                    self.box[room] = (x, 40 + ROW * at, width)
                    x += width + gap

    def middle(self, room):
        near = [other for step in self.steps if room in step for other in step if other != room]
        own = self.box[room][0] + self.box[room][2] / 2
        places = [self.box[other][0] + self.box[other][2] / 2 for other in near if other in self.box]
        return (sum(places) / len(places) if places else own, room)

    def draw(self, left, top):
        parts = [f'<rect x="{left}" y="{top}" width="{self.width}" height="{self.height}" rx="8" class="panel"/>',
                 f'<text x="{left + GAP}" y="{top + 22}" class="head">{html.escape(self.title)}</text>']
        for at, line in enumerate(reversed(self.notes)):
            parts.append(svg.text(left + GAP, top + self.height - 10 - 14 * at, line, "soft"))
        parts += [self.arrow(way, left, top) for way in self.ways]
        parts += [self.outline(group, left, top) for group in sorted({frozenset(one) for one in self.cycle.values()}, key=sorted)
                  if len(group) > 1]
        for room in self.rooms:
            x, y, width = self.box[room]
            kind = "door" if room.endswith(("/port", "/port.hpp", "/trace_port.hpp", "/world_port.hpp")) else "box"
            parts.append(f'<rect x="{left + x:.1f}" y="{top + y}" width="{width:.1f}" height="{BOX}" rx="5" class="{kind}"/>')
            parts.append(f'<text x="{left + x + width / 2:.1f}" y="{top + y + 16}" class="middle">'
                         f"{html.escape(label(room, self.folders))}</text>")
        return parts

    def end_of(self, room, other, others):
        """The place on a box where an arrow ends: the arrows of one side are in the order of the boxes at their other
        ends."""
        x, _, width = self.box[room]
        order = sorted(others, key=lambda one: self.box[one][0] + self.box[one][2] / 2)
        return x + width * (order.index(other) + 1) / (len(order) + 1)

    def arrow(self, way, left, top):
        path = ""
        for start, end in zip(way, way[1:]):
            x1 = left + self.end_of(start, end, [b for a, b in self.steps if a == start])
            x2 = left + self.end_of(end, start, [a for a, b in self.steps if b == end])
            y1, y2 = top + self.box[start][1] + BOX, top + self.box[end][1] - (0 if end != way[-1] else 5)
            bend = (y2 - y1) / 2
            path += f"{'L' if path else 'M'}{x1:.1f} {y1:.1f} C{x1:.1f} {y1 + bend:.1f} {x2:.1f} {y2 - bend:.1f} {x2:.1f} {y2:.1f} "
        return (f'<path d="{path.strip()}" class="way"/>'
                f'<path d="M{x2 - 3.5:.1f} {y2 - 1:.1f} h7 l-3.5 6 z" class="tip"/>')

    def outline(self, group, left, top):
        """Draws a frame around the rooms of a cycle, which stand side by side."""
        boxes = [self.box[room] for room in group]
        x, y = min(box[0] for box in boxes) - 6, boxes[0][1] - 5
        width = max(box[0] + box[2] for box in boxes) + 6 - x
        return (f'<rect x="{left + x:.1f}" y="{top + y}" width="{width:.1f}" height="{BOX + 10}" rx="8" class="cycle"/>'
                f'<text x="{left + x + 4:.1f}" y="{top + y + BOX + 20}" class="soft halo">include each other</text>')


def short(room):
    return re.sub(r"^(include/cohort/|include/|src/)", "", room)


def merged(rooms):
    """Leaves out the folders inside of another one that is in the list."""
    return [room for room in rooms if not any(room.startswith(other + "/") for other in rooms)]


def outer(room):
    """The room that stands for `room` in the picture, which shows sources three folders below a part of src/."""
    return "/".join(room.split("/")[:5]) if room.startswith("src/") else room


def picture(rooms, arrows):
    rooms = {outer(room) for room in rooms}
    arrows = {(outer(start), outer(end)) for start, end in arrows if outer(start) != outer(end)}
    half = (WIDTH - 3 * GAP) / 2
    tops, parts = [GAP, GAP], []
    for column, title, folders in PANELS:
        if any(is_inside(room, folders) for room in rooms):
            made = panel(title, folders, rooms, arrows, half if column is not None else WIDTH - 2 * GAP)
            below = [column] if column is not None else [0, 1]
            top = max(tops[at] for at in below)
            parts += made.draw(GAP + below[0] * (half + GAP), top)
            for at in below:
                tops[at] = top + made.height + GAP
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
