# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The picture of barriers and reductions over processes, devices and GPUs. plots.py writes it."""

import re

from svg import fitted, text

WIDTH, MARGIN, LABEL, LINE, HEAD = 960, 18, 380, 30, 30
AFTER = 60  # room after the longest bar for a number


class line:
    """Our time in microseconds, whether it meets its bar, and the time of what it is compared with (None: nothing)."""

    def __init__(self, label, ours, met, theirs, peer):
        self.label, self.ours, self.met, self.theirs, self.peer = label, ours, met, theirs, peer


def cpu_lines(results):
    return [line(row["name"], row["ours"], row["met"], row["theirs"], row["peer"]) for row in results["rows"]]


def gpu_lines(content):
    """Barriers and reductions of a shape over one and several GPUs, in one process and in several. Of several rows with
    one label the one that has a peer stays."""
    lines = {}
    for row in content["rows"]:
        found = re.match(r"(multi-grid|world) (sync|reduce of float)(?: / (\w+) in a graph)?, (?:132 x 256, )?(\d) (\w+)"
                         r"(?:; peer: (.*))?$", row["name"])
        if not found:
            continue
        group, operation, nccl, count, of, peer = found.groups()
        label = f"{operation} over {count} {of if group == 'multi-grid' else of + ' with a GPU each'}"
        if row["theirs"] is None:
            lines.setdefault(label, line(label, row["ours"], row["met"], None, ""))
        elif nccl or label not in lines or lines[label].theirs is None:
            lines[label] = line(label, row["ours"], row["met"], row["theirs"], f"{nccl} in a graph" if nccl else
                                peer or "sync() of the same shape")
    return sorted(lines.values(), key=lambda one: (one.label.split(" over ")[0] != "sync", "process" in one.label, one.label))


def panel(title, lines, top):
    """Returns the drawing of one scale, and where the next panel begins."""
    longest = max(max(one.ours, one.theirs or 0) for one in lines)
    begin, span = MARGIN + LABEL, WIDTH - 2 * MARGIN - LABEL - AFTER
    parts = [text(MARGIN, top + 16, title, "head")]
    y = top + HEAD
    for one in lines:
        kind = {True: "met", False: "missed", None: "free"}[one.met]
        width = max(one.ours / longest * span, 2)
        parts += [text(MARGIN, y + 9, one.label),
                  f'<rect x="{begin}" y="{y}" width="{width:.1f}" height="11" rx="2" class="{kind}"/>',
                  text(begin + width + 5, y + 9, f"{one.ours:.2f} us")]
        if one.theirs is not None:
            width = max(one.theirs / longest * span, 2)
            parts += [text(MARGIN + 10, y + 21, *fitted(one.peer, 11, LABEL - 14, "soft")),
                      f'<rect x="{begin}" y="{y + 13}" width="{width:.1f}" height="8" rx="2" class="peer"/>',
                      text(begin + width + 5, y + 21, f"{one.theirs:.2f}", "soft")]
        y += LINE
    return parts, y + 6


def picture(style, panels):
    """The picture of `panels`: pairs of a title and lines."""
    title = "Barriers and reductions over processes, devices and GPUs"
    parts, y = [], 78
    for name, lines in panels:
        if lines:
            drawn, y = panel(name, lines, y)
            parts += drawn
    x, legend = MARGIN, []
    for kind, meaning in (("met", "ours, meets its bar"), ("missed", "ours, does not"), ("free", "ours, has none"),
                          ("peer", "what it is compared with")):
        legend += [f'<rect x="{x}" y="55" width="12" height="10" rx="2" class="{kind}"/>', text(x + 17, 64, meaning)]
        x += 34 + 7 * len(meaning)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 8}" role="img" aria-label="{title}">',
        f"<style>{style}</style>",
        f'<rect width="{WIDTH}" height="{y + 8}" rx="8" class="page"/>', text(MARGIN, 28, title, "title"),
        text(MARGIN, 46, "Microseconds, medians of interleaved rounds; shorter is faster. Each part has its own scale.", "soft"),
        *legend, *parts, "</svg>", ""])
