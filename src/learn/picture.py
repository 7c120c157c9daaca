# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of threads and values: rows of cells, drawn as text and as a page with an SVG."""

import html
import math

RIGHT, WRONG, UNWRITTEN, QUIET, FIRST, SECOND = "right", "wrong", "unwritten", "quiet", "first", "second"
TERMINAL = {RIGHT: "32", WRONG: "1;31", UNWRITTEN: "1;33", FIRST: "1;31", SECOND: "1;35", QUIET: "2"}
COLOURS = {RIGHT: ("#d8f0d8", "#1d5e1d"), WRONG: ("#b3261e", "#ffffff"), UNWRITTEN: ("#f3c64f", "#3d2e00"),
           QUIET: ("#ececec", "#555555"), FIRST: ("#b3261e", "#ffffff"), SECOND: ("#6a3fa0", "#ffffff")}
CELL, HEIGHT, GAP = 30, 34, 8  # pixels; a cell is wider where a number needs more
SMALLEST = 8      # size of the digits of a long number
CHARACTER = 0.61  # width of a monospaced character, for a size of 1
LABEL_SIZE = 12


class Cell:
    """A cell of a picture, for one thread or value. The SVG, which has room for numbers, shows the texts `value` and
    `below`."""

    def __init__(self, mark, kind, tip, value="", below=""):
        self.mark, self.kind, self.tip = mark, kind, tip
        self.value, self.below = value or mark, below


class Picture:
    def __init__(self, title, tile=0):
        self.title, self.tile = title, tile
        self.rows = []    # (label, cells)
        self.legend = []  # (mark, kind, text)
        self.note = ""    # a sentence for the page

    def as_text(self, paint):
        """Lines for a terminal, with its colours if `paint` is set."""
        def drawn(mark, kind):
            return f"\033[{TERMINAL[kind]}m{mark}\033[0m" if paint else mark
        yield self.title
        width = max(len(label) for label, _ in self.rows)
        for label, cells in self.rows:
            marks = "".join((" " if i and i % (self.tile or 8) == 0 else "") + drawn(cell.mark, cell.kind)
                            for i, cell in enumerate(cells))
            yield f"  {label:<{width}}  {marks}"
        entries = [f"{drawn(mark, kind)} {text}" for mark, kind, text in self.legend]
        if sum(len(text) for _, _, text in self.legend) < 60:
            yield "  " + "   ".join(entries)
        else:
            yield from ("  " + entry for entry in entries)

    def as_svg(self):
        group = self.tile or 8
        shapes = []
        widest = 0
        longest = max((len(text) for _, cells in self.rows for cell in cells for text in (cell.value, cell.below)), default=0)
        width = max(CELL, math.ceil(longest * SMALLEST * CHARACTER) + 4)
        labels = math.ceil(max((len(label) for label, _ in self.rows), default=0) * LABEL_SIZE * CHARACTER) + 12
        for number, (label, cells) in enumerate(self.rows):
            top = number * (HEIGHT + 4)
            shapes.append(f'<text x="0" y="{top + 21}" font-size="{LABEL_SIZE}">{html.escape(label)}</text>')
            for i, cell in enumerate(cells):
                left = labels + i * width + i // group * GAP
                widest = max(widest, left + width)
                shapes.append(cell_shape(cell, left, top, width))
        height = len(self.rows) * (HEIGHT + 4)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{widest}" height="{height}" viewBox="0 0 {widest} {height}" '
                f'font-family="monospace" role="img" aria-label="{html.escape(self.title)}">\n' + "\n".join(shapes) + "\n</svg>")


def cell_shape(cell, left, top, width):
    """The value found, and below it in small digits the expected one."""
    back, front = COLOURS[cell.kind]

    def line(text, y, size):
        size = min(size, int((width - 4) / CHARACTER / max(len(text), 1)))
        return (f'<text x="{left + width // 2 - 1}" y="{top + y}" fill="{front}" font-size="{size}" text-anchor="middle">'
                f"{html.escape(text)}</text>")
    texts = line(cell.value, 16, 12) + line(cell.below, 29, 9) if cell.below else line(cell.value, 21, 12)
    return (f"<g><title>{html.escape(cell.tip)}</title>"
            f'<rect x="{left}" y="{top}" width="{width - 2}" height="{HEIGHT}" rx="3" fill="{back}"/>{texts}</g>')


def page(heading, paragraphs, pictures):
    """A page of one file, without scripts and without outside parts."""
    body = [f"<h1>{html.escape(heading)}</h1>"] + [f"<p>{html.escape(text)}</p>" for text in paragraphs]
    for picture in pictures:
        legend = " &nbsp; ".join(f'<span style="background:{COLOURS[kind][0]};color:{COLOURS[kind][1]}">&nbsp;'
                                 f'{html.escape(mark)}&nbsp;</span> {html.escape(text)}' for mark, kind, text in picture.legend)
        body.append(f'<h2>{html.escape(picture.title)}</h2>\n<p>{legend} &nbsp; {html.escape(picture.note)}</p>\n'
                    f"{picture.as_svg()}")
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
            f"<title>{html.escape(heading)}</title>\n"
            "<style>body{font-family:sans-serif;margin:2em;line-height:1.4}</style></head>\n<body>\n"
            + "\n".join(body) + "\n</body></html>\n")
