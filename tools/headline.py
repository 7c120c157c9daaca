# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The picture of the README: what a user's program gains or loses. plots.py writes it."""

import html
import math
import sys

from svg import text

# Label, what it is compared with, and the row of the results: its name and, on the CPU, the beginning of its peer.
CPU = [
    ("Mandelbrot set", "scalar loop", "Mandelbrot 512^2 x 256, a pixel", "hand-written scalar loop"),
    ("transpose through shared memory", "loop over 32 x 32 tiles", "transpose 4096^2 through [32][33] shared", "hand-written"),
    ("Black-Scholes", "loop over vectors of SLEEF", "Black-Scholes, an option", "hand-written"),
    ("matrix product in shared tiles", "loop over vector types", "matrix product 1024^3, 32 x 32 shared tiles", "hand-written"),
    ("sum of 256 MiB, cooperative launch", "loop written by hand", "sum of 256 MiB in one cooperative launch", "hand-written"),
    ("neighbours, two barriers a step", "loop written by hand", "neighbour exchange, 256 threads, two barriers", "hand-written"),
    ("scan of 1024 in a block", "running sum", "Hillis-Steele scan of 1024, a block", "hand-written"),
]
GPU = [
    ("copy of 16 KiB into shared memory", "NVIDIA's memcpy_async", "memcpy_async int*, 16 KiB by 256"),
    ("reduce over a block of 1024", "CUB", "block 1024: reduce float"),
    ("grid.sync(), 264 blocks", "NVIDIA's header", "grid sync, 264 x 1024"),
]
WIDTH, MARGIN, LINE, BEGIN, END = 960, 18, 24, 470, 890
LOW, HIGH = 0.05, 5


def time_ratio(row):
    """Rates become times, so that less is better in each line."""
    return 1 / row["ratio"] if row["unit"].endswith("/s") else row["ratio"]


def find(rows, name, peer=""):
    for row in rows:
        if row["name"] == name and row.get("peer", "").startswith(peer) and row.get("ratio"):
            return row
    sys.exit(f"headline.py: the newest results have no ratio for the row '{name}'{f' and the peer {peer}' if peer else ''}")


def place(ratio):
    return BEGIN + (END - BEGIN) * min(max(math.log(ratio / LOW) / math.log(HIGH / LOW), 0), 1)


def panel(title, lines, top):
    """The drawing of one machine, and where the next one begins."""
    parts, bottom = [], top + 30 + LINE * len(lines)
    for tick in (0.05, 0.1, 0.2, 0.5, 1, 2, 5):
        parts += [f'<line x1="{place(tick):.1f}" x2="{place(tick):.1f}" y1="{top + 28}" y2="{bottom}" '
                  f'class="{"one" if tick == 1 else "grid"}"/>', text(place(tick), top + 22, f"{tick:g}", "soft middle")]
    parts.append(text(MARGIN, top + 22, title, "head"))
    y = top + 28
    for label, peer, ratio in lines:
        y += LINE
        begin, end = sorted((place(1), place(ratio)))
        parts += [text(MARGIN, y - 7, label), text(BEGIN - 12, y - 7, peer, "soft right"),
                  f'<rect x="{begin:.1f}" y="{y - 18}" width="{max(end - begin, 2):.1f}" height="15" rx="2" '
                  f'class="{"met" if ratio <= 1 else "missed"}"/>', text(WIDTH - MARGIN, y - 7, f"{ratio:.2f}", "right")]
    return parts, bottom + 12


def picture(style, cpu, gpu, files):
    """The picture of the results `cpu` and `gpu`, which are in `files`."""
    title = "Time of a kernel with Cohort / time without it"
    ours = [(label, peer, time_ratio(find(cpu["rows"], name, start))) for label, peer, name, start in CPU]
    parts, y = panel(f"{cpu['cores']} cores of a CPU, kernels compiled by cohortcc", ours, 72)
    ours = [(label, peer, time_ratio(find(gpu["rows"], name))) for label, peer, name in GPU]
    drawn, y = panel(f"{gpu['device']}, nvcc with Cohort's headers", ours, y)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 6}" role="img" aria-label="{html.escape(title)}">',
        f"<style>{style}</style>", f'<rect width="{WIDTH}" height="{y + 6}" rx="8" class="page"/>', text(MARGIN, 28, title, "title"),
        text(MARGIN, 48, "To the left of 1 Cohort is faster; logarithmic scale. In grey: what it is compared with."),
        text(MARGIN, 64, f"Medians, measured in turns in one process; bench/results/{', '.join(files)}", "soft"), *parts, *drawn,
        "</svg>", ""])
