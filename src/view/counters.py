# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A report of COHORT_COUNT as a page shows it: source lines with their numbers, and pictures of the worst accesses."""

import counts
import limits
from comparison import changes
from source_files import Finder, lines_of
from warp_picture import picture_of

AROUND = 2        # lines shown before and after a line with numbers
MOST_KERNELS = 200
MOST_LINES = 500  # lines with numbers that are shown for one kernel
MOST_PICTURES = 3  # pictures that are shown for one kernel


def excess_of(numbers):
    return sum(max(numbers.get(name, 0) - numbers.get("ideal_" + name, 0), 0) for name in ("sectors", "wavefronts"))


def bars_of(numbers):
    """Returns the bars of a line: [ideal part, excess] for numbers of memory, [active, inactive] for lanes."""
    bars = {}
    for name in ("sectors", "wavefronts"):
        if name in numbers:
            ideal = min(numbers.get("ideal_" + name, 0), numbers[name])
            bars[name] = [ideal, numbers[name] - ideal]
    if numbers.get("requests"):
        bars["lanes"] = [numbers.get("lanes", 0), max(32 * numbers["requests"] - numbers.get("lanes", 0), 0)]
    return bars


def is_notable(numbers, limit):
    """Whether the ratio that the limit is about is worse than its ideal value."""
    return limits.exceeds(limits.ratio_of(numbers, limit), limit, 1)


def sentences_of(numbers):
    return [limits.sentence(numbers, limit) for limit in limits.LIMITS if is_notable(numbers, limit)]


def line_of(number, text, numbers, before):
    row = {"line": number, "text": text, "bars": bars_of(numbers), "sentences": sentences_of(numbers)}
    if before is not None:
        row.update(before=bars_of(before), change=changes(before, numbers))
    return row


class Sources:
    """The lines of files, each read once."""

    def __init__(self, root):
        self.finder = Finder(root) if root is not None else None
        self.files = {}

    def of(self, name):
        if name not in self.files:
            path = self.finder and self.finder.find(name)
            self.files[name] = lines_of(path) if path else []
        return self.files[name]


def file_of(name, numbers, before, text):
    """The rows of one file: its lines with numbers and those around them; None where lines are left out."""
    with_numbers = numbers.keys() | (before or {}).keys()
    shown = {line for at in with_numbers for line in range(at - AROUND, at + AROUND + 1) if 1 <= line <= len(text)}
    rows, last = [], None
    for line in sorted(shown | with_numbers):
        if last is not None and line != last + 1:
            rows.append(None)
        rows.append(line_of(line, text[line - 1] if 1 <= line <= len(text) else None, numbers.get(line, {}),
                            None if before is None else before.get(line, {})))
        last = line
    return {"file": name, "rows": rows}


def numbers_by_file(accesses):
    """{file: {line: numbers}} of the lines with the largest excess."""
    lines = [(place, counts.sums(here)) for place, here in counts.by_line(accesses).items()]
    files = {}
    for (file, line), numbers in sorted(lines, key=lambda each: -excess_of(each[1]))[:MOST_LINES]:
        files.setdefault(file, {})[line] = numbers
    return files


def kernel_of(name, accesses, before, sources):
    numbers, files = counts.sums(accesses), numbers_by_file(accesses)
    old = None if before is None else numbers_by_file(before)
    worst = sorted((access for access in accesses if "worst" in access), key=excess_of, reverse=True)
    pictures = [picture for picture in map(picture_of, worst[:MOST_PICTURES]) if picture]
    return {"kernel": name, "excess": excess_of(numbers), "sentences": sentences_of(numbers),
            "change": None if before is None else changes(counts.sums(before), numbers),
            "files": [file_of(file, files.get(file, {}), None if old is None else old.get(file, {}), sources.of(file))
                      for file in sorted(files.keys() | (old or {}).keys())],
            "pictures": pictures}


def notes_of(report, old_report, kernels, before):
    """Sentences about all of the report."""
    notes = []
    share, old_share = (each.get("blocks_for_one", 1) for each in (report, old_report or report))
    if share != 1:
        notes.append(f"The run has counted one of {share} blocks.")
    if old_share != share:
        notes.append(f"The report before has counted one of {old_share} blocks, so only ratios can be compared.")
    for kernel in report["kernels"]:
        if len(counts.by_line(kernels[kernel["kernel"]])) > MOST_LINES:
            notes.append(f"{kernel['kernel']}: only the {MOST_LINES} lines with the largest excess are shown.")
        if counts.is_whole(kernel.get("split_accesses"), 1 << 64) and kernel["split_accesses"]:
            notes.append(f"{kernel['kernel']}: {kernel['split_accesses']} accesses were counted in parts, because too many were "
                         "open; their numbers are too large.")
    if before is not None:
        notes += [f"{name} is only in the report before." for name in sorted(before.keys() - kernels.keys())]
        notes += [f"{name} is not in the report before." for name in sorted(kernels.keys() - before.keys())]
    if len(kernels) > MOST_KERNELS:
        notes.append(f"Only the {MOST_KERNELS} kernels with the largest excess are shown, of {len(kernels)}.")
    return notes


def plain_text(content):
    """The numbers for readers without JavaScript."""
    lines = list(content["notes"])
    for kernel in content["kernels"]:
        lines.append(kernel["kernel"] + ": " + ("; ".join(kernel["sentences"]) or "no excess"))
        if kernel["change"]:
            lines.append("  since the report before: " + kernel["change"])
        for file in kernel["files"]:
            for row in filter(None, file["rows"]):
                sentences = row["sentences"] + ([row["change"]] if row.get("change") else [])
                lines += [f"  {file['file']}:{row['line']}: {sentence}" for sentence in sentences]
    return "\n".join(lines)


def read(text, name, root, before_text=None, before_name=None):
    """The data of the page. `root`: the folder of the sources; None: no sources."""
    report = counts.parse(text, name)
    kernels = counts.lists_of(report, name, "accesses", counts.checked)
    old_report = counts.parse(before_text, before_name) if before_text is not None else None
    before = counts.lists_of(old_report, before_name, "accesses", counts.checked) if old_report else None
    sources = Sources(root)
    order = sorted(kernels, key=lambda kernel: (-excess_of(counts.sums(kernels[kernel])), kernel))[:MOST_KERNELS]
    content = {"notes": notes_of(report, old_report, kernels, before), "compared": before is not None,
               "kernels": [kernel_of(kernel, kernels[kernel], before.get(kernel) if before else None, sources)
                           for kernel in order]}
    content["text"] = plain_text(content)
    return content
