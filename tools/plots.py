#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the newest results of bench/results as pictures:  plots.py ROOT --write|--check

docs/pictures/gpu.svg has one line for each row of the GPU benchmark, docs/pictures/cpu.svg one for each row of the CPU
benchmark: the ratio of our time to the peer's, and the bar that the row must meet. A dot is the ratio on a second GPU.
docs/pictures/headline.svg has a choice of both. docs/pictures/world.svg shows times over processes, devices and GPUs.
With --check, exit status 1 and a sentence where a picture is not the one of the newest results."""

import html
import json
import math
import pathlib
import re
import sys

sys.dont_write_bytecode = True  # Python writes no __pycache__ into the checkout

import cpu_report
import gpu_report
import headline
import svg
import world_picture
from svg import text

# Each picture has headings with rows below them, and patterns that shorten the rows' names. The first heading whose
# pattern matches takes a row. GPU rows match by name, CPU rows by their peer.
GPU_GROUPS = [
    ("coalesced group of 16 scattered lanes", r"coalesced ", r"coalesced 0x(\w+): (.*)", r"\2, mask \1"),
    ("tiles of 64", r"tile 64 ", r"tile 64 of (\d+): (.*)", r"\2, block of \1"),
    ("tiles of 128, 256, 512", r"tile (128|256|512) ", r"tile (\d+) of (\d+): (.*)", r"\1: \3, block of \2"),
    ("block, result in all threads / CUB", r"block \d+: .*(reduce|scan)", r"block ", ""),
    ("tiles of 8 and 32", r"tile (8|32)[ :]", r"tile ", ""),
    ("barriers of a block and a cluster", r"(block \d+|cluster .*): sync", "", ""),
    ("grid.sync(), blocks x threads", r"grid ", r"grid (sync, )?", ""),
    ("1056 tiles update one address", r"reduce_update_async", r"(reduce_update_async \S+), .*", r"\1"),
    ("memcpy_async of 16 KiB into shared memory", r"memcpy_async", r"memcpy_async (\S+), (other)?.*", r"\1 \2"),
    ("several GPUs in one launch / barrier of the shape", r"multi-grid .* float, .*", r"multi-grid | of float|, 132 x 256", ""),
    ("several GPUs in one launch / NCCL", r"(multi-grid|sum of 2 GiB)", r"multi-grid | / ncclAllReduce in a graph| on each device", ""),
    ("processes with a GPU each", r"world ", r"world (.*), 132 x 256, (\d) processes; peer: (?:world |NCCL's )?(.*)",
     r"\2: \1 / \3"),
    ("sum of 2 GiB in one launch / CUB", r"(sum of|the same sum)", "", ""),
    ("2048 sums of 1 MiB / one float at a time", r"2048 sums", r".+", "reduce over a block"),
    ("compile time of the headers", r"compile <", "", ""),
    ("first launch of a program", r"first launch", "", ""),
]
CPU_LONG = (r"batched sum, |, an? (?:point|option|key|byte|interaction|lane)|, an element(?: a thread)?|, each element|"
            r"28800 x 256 threads |, 256 threads|, tile<32>| through.*| 1024.3,")
CPU_GROUPS = [
    ("fiber switch / Boost.Context", r"Boost", r"one fiber switch, ", ""),
    ("one wait of a thread / own fiber switch", r"own switch", r", each lane|, each|, 256 threads|, tile<32>", ""),
    ("tile of 32 / tile.sync()", r"tile\.sync", r", tile<32>", ""),
    ("block of 256 / block.sync()", r"block\.sync", r", block of 256", ""),
    ("grid.sync() / bare barrier and switches", r"bare barrier", r", 256 threads a worker", ""),
    ("kernel / loop written by hand", r"hand-written", CPU_LONG, ""),
    ("matrix product / OpenBLAS", r"OpenBLAS", r"1024\^3, ", ""),
    ("kernel / OpenCL on the CPU (pocl)", r"pocl", CPU_LONG, ""),
    ("kernel / itself with COHORT_GANGS=off", r"COHORT_GANGS", CPU_LONG, ""),
    ("launch beside busy CPUs / alone", r"the launch", r"launch of ", ""),
    ("absolute values / limit", r"limit", r"memory, |, 256 threads", ""),
]
LABELS = {
    "sum of 2048 x 262144 floats": "workspace made before",
    "the same sum, launch_cooperative": "workspace made by the launch",
    "compile <cooperative_groups.h>": "<cooperative_groups.h>",
    "compile <cooperative_groups.h>, reduce.h, scan.h, memcpy_async.h": "all of cooperative_groups",
    "compile <cooperative_groups.h> alone": "<cooperative_groups.h> alone",
    "compile <cooperative_groups.h>, reduce.h, scan.h, memcpy_async.h alone": "all of it alone",
}
STYLE = svg.style(
    {"page": "#ffffff", "text": "#1f2328", "soft": "#59636e", "grid": "#e3e8ed", "met": "#1a7f5a", "missed": "#c4501b"},
    {"page": "#14181d", "text": "#dfe4ea", "soft": "#98a3ae", "grid": "#2c343d", "met": "#4cc38a", "missed": "#f0883e"}, """
.page { fill: $page; } .grid { stroke: $grid; } .one { stroke: $soft; stroke-dasharray: 3 3; }
.met { fill: $met; } .missed { fill: $missed; } .free { fill: $soft; } .bar { stroke: $text; stroke-width: 2; }
.dot { fill: $page; stroke: $text; stroke-width: 1.5; } .peer { fill: $grid; stroke: $soft; stroke-width: 0.5; }
text { font: 11px "DejaVu Sans", Verdana, sans-serif; fill: $text; }
.soft { fill: $soft; } .head { font-weight: bold; } .title { font-size: 15px; font-weight: bold; }
.small { font-size: 9.46px; } .right { text-anchor: end; } .middle { text-anchor: middle; }
""")
WIDTH, MARGIN, LINE, LABEL, VALUE = 960, 18, 16, 232, 38


class line:
    """One line of a picture: a heading (without a value) or a ratio of times with its bar and the ratio on another machine
    (None: without)."""

    def __init__(self, label, value=None, bar=None, met=None, other=None):
        self.label, self.value, self.bar, self.met, self.other = label, value, bar, met, other


def ratio_line(label, row):
    """Rates become times, so that less is better in each line."""
    found = re.match(r"([<>])= ([\d.]+)(?= and|$)", row.get("bar") or "")
    bar = float(found.group(2)) if found else None
    other = row.get("other ratio")
    if row["unit"].endswith("/s"):
        return line(label, 1 / row["ratio"], 1 / bar if bar else None, row.get("met"), 1 / other if other else None)
    return line(label, row["ratio"], bar, row.get("met"), other)


def grouped(rows, groups, key):
    left, lines = list(rows), []
    for title, pattern, without, instead in [*groups, ("other", "", "", "")]:
        taken = [row for row in left if re.match(pattern, row[key])]
        left = [row for row in left if row not in taken]
        if taken:
            lines.append(line(title))
        labels = [re.sub(without, instead, row["name"]) for row in taken]
        for wide, short in ((" (cohortcc)", ""), ("(cohortcc, fibers)", ""), ("built for AVX2", "AVX2")):
            labels = [label.replace(wide, short).strip() for label in labels]
        for row, label in zip(taken, labels):
            if labels.count(label) > 1:  # two variants of the peer, or two shapes of the group
                label = label + row["peer"][row["peer"].find(","):] if "," in row.get("peer", "") else row["name"]
            lines.append(ratio_line(LABELS.get(label, label), row))
    return lines


def gpu_lines(cards):
    """Rows of times and rates that have a peer and a bar; counts of instructions are no times."""
    others = {row["name"]: row["ratio"] for _, content in cards[1:2] for row in content["rows"]}
    rows = [{**row, "other ratio": others.get(row["name"])} for row in cards[0][1]["rows"]]
    return grouped([row for row in rows if row["ratio"] is not None and row["bar"] and row["unit"] != "instructions"],
                   GPU_GROUPS, "name")


def cpu_lines(rows):
    """Rows that have a peer and did not fail. A bare switch beside a whole operation is a unit, no peer."""
    return grouped([row for row in rows if row.get("ratio") and "failure" not in row
                    and (row["peer"] != "own switch" or row.get("bar"))], CPU_GROUPS, "peer")


def columns(lines):
    """Two columns of about equal length; a heading stays with its lines."""
    starts = [at for at, one in enumerate(lines) if one.value is None]
    middle = min(starts, key=lambda at: max(at, len(lines) - at))
    return lines[:middle], lines[middle:]


def draw_column(lines, left, width, top, low, high, bottom):
    begin, end = left + LABEL, left + width - VALUE
    span = math.log(high / low)

    def place(value):
        return begin + (end - begin) * min(max(math.log(value / low) / span, 0), 1)

    parts, taken = [], []
    for tick in (1, 0.1, 10, 0.01, 0.3, 3, 0.03):  # the first ones are kept where there is little room
        x = place(tick)
        half = svg.text_width(f"{tick:g}", 11) / 2 + 2
        if low <= tick <= high and all(abs(x - other) >= half + room for other, room in taken):
            taken.append((x, half))
            parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}" class="{"one" if tick == 1 else "grid"}"/>')
            parts.append(text(x, top - 5, f"{tick:g}", "soft middle"))
    y = top
    for one in lines:
        y += LINE
        if one.value is None:
            parts.append(text(left, y, one.label, "head"))
            continue
        kind = {True: "met", False: "missed", None: "free"}[one.met]
        base, x = sorted((place(1), place(one.value)))
        parts.append(text(left + 8, y, *svg.fitted(one.label, 11, LABEL - 12)))
        parts.append(f'<rect x="{base:.1f}" y="{y - 9}" width="{max(x - base, 2):.1f}" height="10" rx="2" class="{kind}"/>')
        if one.bar:
            x = place(one.bar)
            parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y - 12}" y2="{y + 4}" class="bar"/>')
        if one.other:
            parts.append(f'<circle cx="{place(one.other):.1f}" cy="{y - 4}" r="3.5" class="dot"/>')
        parts.append(text(left + width, y, f"{one.value:.{0 if one.value >= 100 else 2 if one.value >= 0.1 else 3}f}", "right"))
    return parts


def picture(title, subtitle, lines, low, other=None):
    """The picture of the lines. Dots stand for the machine `other`."""
    high = min(1.3 * max(max(one.value, one.bar or 0) for one in lines if one.value is not None), 13)
    both = columns(lines)
    subtitles = svg.wrapped(subtitle, 11, WIDTH - 2 * MARGIN)
    legend = 46 + 16 * len(subtitles)  # the baseline
    top = legend + 28
    bottom = top + LINE * max(len(column) for column in both) + 8
    width = (WIDTH - 3 * MARGIN) / 2
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 14}" role="img" '
             f'aria-label="{html.escape(title)}">', f"<style>{STYLE}</style>",
             f'<rect width="{WIDTH}" height="{bottom + 14}" rx="8" class="page"/>', text(MARGIN, 28, title, "title"),
             *(text(MARGIN, 46 + 16 * at, part, "soft") for at, part in enumerate(subtitles))]
    x = MARGIN
    for kind, meaning in (("met", "meets its bar"), ("missed", "does not"), ("free", "has none")):
        parts += [f'<rect x="{x}" y="{legend - 9}" width="12" height="10" rx="2" class="{kind}"/>', text(x + 17, legend, meaning)]
        x += 34 + 7 * len(meaning)
    parts += [f'<line x1="{x}" x2="{x}" y1="{legend - 11}" y2="{legend + 3}" class="bar"/>', text(x + 8, legend, "the bar")]
    if other:
        parts += [f'<circle cx="{x + 80}" cy="{legend - 4}" r="3.5" class="dot"/>', text(x + 89, legend, other)]
    for at, column in enumerate(both):
        parts += draw_column(column, MARGIN + at * (width + MARGIN), width, top, low, high, bottom)
    return "\n".join([*parts, "</svg>", ""])


def pictures(root):
    cards = gpu_report.newest(root)
    devices = [content["device"] for _, content in cards]
    cpu_file = cpu_report.newest(root)
    cpu = json.loads(cpu_file.read_text())
    worlds = []
    for part in ("2-processes", "2-devices"):
        file = cpu_report.newest(root, f"-world-{part}")
        worlds.append((f"CPU, {part.replace('-', ' ')}, blocks x threads of a rank; bench/results/{file.name}",
                       world_picture.cpu_lines(json.loads(file.read_text()))))
    worlds.append((f"{devices[0]}, 132 x 256 threads a GPU; bench/results/{', '.join(cards[0][0][-2:])}",
                   world_picture.gpu_lines(cards[0][1])))
    less = "To the left of 1 is faster; logarithmic scale."
    return {
        "gpu.svg": picture(f"{devices[0]}: our time / time of NVIDIA's header or CUB",
                           f"{less} Medians, measured in turns in one process; "
                           f"bench/results/{', '.join(files[0] for files, _ in cards[:2])}",
                           gpu_lines(cards), 0.004, *devices[1:2]),
        "cpu.svg": picture(f"CPU, {cpu['cores']} cores: our time / time of the peer",
                           f"{less} Medians, measured in turns in one process; bench/results/{cpu_file.name}",
                           cpu_lines(cpu["rows"]), 0.007),
        "headline.svg": headline.picture(STYLE, cpu, cards[0][1], [cpu_file.name, cards[0][0][0]]),
        "world.svg": world_picture.picture(STYLE, worlds),
    }


def main(arguments):
    if len(arguments) != 2 or arguments[1] not in ("--write", "--check"):
        sys.exit(__doc__)
    root = pathlib.Path(arguments[0])
    stale = []
    for name, drawn in pictures(root).items():
        path = root / "docs/pictures" / name
        if arguments[1] == "--write":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(drawn)
        elif not path.is_file() or path.read_text() != drawn:
            stale.append(f"docs/pictures/{name}")
    if stale:
        sys.exit(f"plots.py: out of date: {', '.join(stale)}; run tools/plots.py . --write")


if __name__ == "__main__":
    main(sys.argv[1:])
