#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collects the measurements of a GPU.

  gpu_report.py count FILE NAME BAR OURS THEIRS OUR_REST THEIR_REST   counts the instructions of an operation in cubins
  gpu_report.py runs NUMBER PROGRAM [OPTION...]       runs gpu-bench several times, and prints its rows over all runs
  gpu_report.py merge OUTPUT.json PART.json [...]     joins the rows of all parts, and prints them as a table
  gpu_report.py table ROOT --write|--check            writes or compares the table of docs/benchmarks.md

`count` writes FILE with one row. The REST cubins are compiled without the operation; the row has the differences. `runs`
prints the smallest, median and largest of ours and of the ratios; exit status 1 if a row misses its bar in any run. `merge`
keeps the last of several rows with one name. `table` reads the newest results of each card in bench/results.

A part is JSON with `rows`: name, unit, ours, theirs and ratio (null without a peer), bar (a sentence such as "<= 0.7"),
met, repeats, spread. An error is exit status 1 and a sentence."""

import datetime
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

BEGIN, END = "<!-- made by tools/gpu_report.py -->", "<!-- end -->"

# The lines of the table: a title, and the names of the rows that the line sums up. A row belongs to the first line that fits.
LINES = [
    ("coalesced group, 16 scattered lanes: reduce, scans", r"coalesced .*(reduce|scan)"),
    ("coalesced group, 16 scattered lanes: shuffles, ballot, match", r"coalesced "),
    ("partial tile of 64 or 128: sync; peer: barrier of the block", r"tile (64 of 992|128 of 160): sync"),
    ("partial tile of 64 or 128: reduce, scan; peer: CUB over the block", r"tile (64 of 100|64 of 1000|128 of 1000): "),
    ("tile of 64, a rank for each lane: shuffle; peer: shared memory, barriers of the block", r"tile 64 .*shfl by lane"),
    ("tile of 128 to 512 threads: sync", r"tile (128|256|512) .*sync"),
    ("tile of 128 to 512 threads: reduce, scan, shuffle, any", r"tile (128|256|512) "),
    ("tile of 64 threads", r"tile 64 "),
    ("tile of 32: reduce of 64-bit integers", r"tile 32: reduce 64-bit"),
    ("tile of up to 32: everything else", r"tile (8|32)[ :]"),
    ("block and cluster: sync", r"(block \d+|cluster .*): sync"),
    ("block of 352 or 100 threads, the cold path; peer CUB", r"block (352|100): "),
    ("block reduce, result in all threads; peer CUB", r"block \d+: reduce"),
    ("block scan; peer CUB", r"block \d+: .*scan"),
    ("`grid.sync()`", r"grid sync"),
    ("split-phase barrier of a grid; peer: `grid.sync()`", r"grid split-phase"),
    ("`reduce_update_async`, one address", r"reduce_update_async"),
    ("`memcpy_async` of 16 KiB, the same bytes each time", r"memcpy_async \S+ 16 .* by "),
    ("`memcpy_async` of 16 KiB, other bytes each time", r"memcpy_async .* other .* by "),
    ("`memcpy_async` of 16 KiB, 4 bytes off the alignment", r"memcpy_async .* 4 bytes off"),
    ("`memcpy_async` of 16 KiB: instructions", r"memcpy_async .*instructions"),
    ("sum of 2 GiB on each of several GPUs; peer: CUB and ncclAllReduce in a graph", r"sum of 2 GiB .* GPUs"),
    ("sum of 2 GiB in one cooperative launch; peer CUB", r"sum of 2048"),
    ("sum of 2 GiB, workspace made by the launch; peer CUB", r"the same sum"),
    ("2048 sums of 1 MiB; peer: one float at a time", r"2048 sums"),
    ("sync of several GPUs over NVLink", r"multi-grid sync, .* [2-9] GPUs"),
    ("reduce, scans, broadcast of a multi-grid on one GPU; peer: its sync", r"multi-grid .* 1 GPU$"),
    ("reduce of several GPUs; peer: ncclAllReduce in a graph", r"multi-grid reduce of float / nccl"),
    ("reduce, scans, broadcast of several GPUs; peer: their sync", r"multi-grid .* float, .* GPUs"),
    ("compile time of the headers", r"compile <"),
    ("first launch of a program", r"first launch"),
]


MET = {True: "yes", False: "NO", None: ""}


def kept(rows):
    bars = [row["met"] for row in rows if row["met"] is not None]
    return f"{sum(bars)} of {len(bars)}"


def instructions(cubin):
    tool = shutil.which("cuobjdump")
    if tool is None:
        sys.exit("gpu_report.py: cuobjdump was not found; it is part of the CUDA toolkit")
    text = subprocess.run([tool, "-sass", cubin], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+ )?(\w+)", text, re.M)
    return sum(name != "NOP" for name in names) - 1  # a jump to itself follows the end; it is not counted


def count(output, name, bar, ours, theirs, rest_of_ours, rest_of_theirs):
    mine = instructions(ours) - instructions(rest_of_ours)
    other = instructions(theirs) - instructions(rest_of_theirs)
    row = {"name": name, "unit": "instructions", "ours": mine, "theirs": other, "ratio": round(mine / other, 4),
           "bar": f"<= {bar} instructions", "met": mine <= int(bar), "repeats": 1, "spread": 0}
    pathlib.Path(output).write_text(json.dumps({"rows": [row]}))


def text_of(value):
    if value is None:
        return ""
    return f"{value:.3f}" if value < 10 else f"{value:.1f}" if value < 1000 else f"{value:.0f}"


def print_table(rows):
    width = max(len(row["name"]) for row in rows)
    print(f"{'':{width}} {'unit':>12} {'ours':>9} {'theirs':>9}  {'bar':24} {'met':3} {'ratio':>7}")
    for row in rows:
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.3f}"
        print(f"{row['name']:{width}} {row['unit']:>12} {text_of(row['ours']):>9} {text_of(row['theirs']):>9}  "
              f"{row['bar']:24} {MET[row['met']]:3} {ratio:>7}")
    print(f"{kept(rows)} rows meet their bar")


def completed(row):
    """Completes a row: a part may lack the peer, and may have the bar as a number (0: none)."""
    full = {"theirs": None, "ratio": None, "repeats": 1, "spread": 0, "bar": 0, **row}
    if "bar" not in row and row["name"].startswith("compile <"):
        most = 1.3 if row["name"].endswith("alone") else 1.1
        full.update(bar=f"<= {most}", met=full["ratio"] <= most)
    if not isinstance(full["bar"], str):
        full["met"] = full["ours"] <= full["bar"] if full["bar"] else None
        full["bar"] = f"<= {full['bar']:g} {full['unit']}" if full["bar"] else ""
    return full


def runs(number, program):
    """Runs a program that takes a JSON file for its rows `number` times. Returns 1 if a row misses its bar in a run."""
    if not number.isdigit() or int(number) == 0:
        sys.exit(f"gpu_report.py: runs: the number of runs is {number}, not 1 or more")
    of_row = {}
    with tempfile.TemporaryDirectory() as folder:
        for i in range(int(number)):
            file = pathlib.Path(folder) / f"{i}.json"
            finished = subprocess.run([*program, str(file)], stdout=subprocess.DEVNULL, check=False)
            if finished.returncode != 0 or not file.exists():
                sys.exit(f"gpu_report.py: run {i + 1} of {program[0]} ends with {finished.returncode}")
            for row in json.loads(file.read_text())["rows"]:
                of_row.setdefault((row["name"], row["unit"], row["bar"]), []).append(row)
    if not of_row:
        sys.exit("gpu_report.py: the runs have no row")
    missed = False
    print(f"{number} runs: smallest, median and largest of ours, then of the ratio")
    for (name, unit, bar), rows in of_row.items():
        verdicts = [row["met"] for row in rows if row["met"] is not None]
        missed |= not all(verdicts)
        ours, ratios = (sorted(row[key] for row in rows if row[key] is not None) for key in ("ours", "ratio"))
        text = f"{name}: {ours[0]:g} {statistics.median(ours):g} {ours[-1]:g} {unit}, "
        text += f"{ratios[0]:.4f} {statistics.median(ratios):.4f} {ratios[-1]:.4f}" if ratios else "no peer"
        print(text + (f", bar {bar}: met in {sum(verdicts)} of {len(verdicts)}" if verdicts else ", no bar"))
    return 1 if missed else 0


def merge(output, parts):
    merged = {"date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"), "rows": []}
    for part in parts:
        content = json.loads(pathlib.Path(part).read_text())
        rows = content.pop("rows")
        merged = {**content, **merged}
        new = {row["name"]: completed(row) for row in rows}
        merged["rows"] = [new.pop(row["name"], row) for row in merged["rows"]] + list(new.values())
    if not merged["rows"]:
        sys.exit("gpu_report.py: no part has a row")
    lines = ",\n".join("    " + json.dumps(row) for row in merged["rows"])
    head = "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in sorted(merged.items()) if key != "rows")
    pathlib.Path(output).write_text("{\n" + head + '  "rows": [\n' + lines + "\n  ]\n}\n")
    print_table(merged["rows"])


def newest(root):
    """Returns the newest results of each card, as pairs of names of files and content. The rows of several GPUs and of
    worlds are from the newest files of machines with such cards."""
    newest_of = {}
    for file in sorted((root / "bench/results").glob("*-nvidia-*.json")):
        name = re.sub(r"^[\d-]{10}-", "", file.stem)
        if re.sub(r"^(world-)?\d+-", "", name) == json.loads(file.read_text())["device"].lower().replace(" ", "-"):
            newest_of[name] = file  # other files have single rows
    alone = sorted((name for name in newest_of if name.startswith("nvidia-")), reverse=True)
    worlds = [newest_of[name] for name in newest_of if name.startswith("world-")]
    several = [newest_of[name] for name in newest_of if name[0].isdigit()]
    if not alone:
        sys.exit("gpu_report.py: bench/results has no file of an NVIDIA GPU; make one with `make gpu`")
    cards = [([newest_of[name].name], json.loads(newest_of[name].read_text())) for name in alone]
    for file in sorted(several) + sorted(worlds):
        more = json.loads(file.read_text())
        rows = {row["name"]: completed(row) for row in more["rows"]}
        for names, content in cards:
            if content["device"] == more["device"]:
                names.append(file.name)
                kept_rows = [row for row in content["rows"] if row["name"] not in rows]
                content["rows"] = kept_rows + list(rows.values())
    return cards


def span(values):
    low, high = min(values), max(values)
    shown = [f"{value:.2f}" if value >= 0.1 else f"{value:.3f}" for value in (low, high)]
    return shown[0] if shown[0] == shown[1] else f"{shown[0]} to {shown[1]}"


def bars_of(rows):
    """Returns the bars of one line as text: the bar, or the least and the greatest of several."""
    bars = {row["bar"] for row in rows if row["bar"]}
    limits = sorted(float(bar[3:]) for bar in bars) if all(re.fullmatch(r"<= [\d.]+", bar) for bar in bars) else []
    return f"<= {limits[0]:g} to {limits[-1]:g}" if len(limits) > 1 else ", ".join(sorted(bars))


def cell(rows):
    """Returns what one card's rows of a line show."""
    ratios = [row["ratio"] for row in rows if row["ratio"] is not None]
    if not rows:
        return ""
    if rows[0]["unit"] == "GB/s":
        return ", ".join(f"{row['ours']:.0f} GB/s" for row in rows) + (f" ({span(ratios)} of the peer's rate)" if ratios else "")
    if rows[0]["unit"] == "instructions":
        return ", ".join(f"{row['ours']} (theirs {row['theirs']})" for row in rows)
    return span(ratios) if ratios else ", ".join(f"{row['ours']:.2f} {row['unit']}" for row in rows)


def table_text(cards):
    contents = [content for _, content in cards]
    left = [list(content["rows"]) for content in contents]
    lines = []
    for title, pattern in LINES:
        rows = [[row for row in of_card if re.match(pattern, row["name"])] for of_card in left]
        left = [[row for row in of_card if row not in taken] for of_card, taken in zip(left, rows)]
        shown = [row for of_card in rows for row in of_card]
        if shown:
            lines.append(f"| {title} | {' | '.join(cell(of_card) for of_card in rows)} | {bars_of(shown)} | {kept(shown)} |")
    for row in [row for row in left[0] if row["bar"]]:
        others = [one for of_card in left[1:] for one in of_card if one["name"] == row["name"]]
        shown = " | ".join([text_of(row["ratio"])] + [text_of(one["ratio"]) for one in others] + [""] * (len(left) - 1 - len(others)))
        lines.append(f"| {row['name']} | {shown} | {row['bar']} | {kept([row, *others])} |")
    met = [kept(content["rows"]) for content in contents]
    sources = [f"`bench/results/{name}`" for files, _ in cards for name in files]
    devices = [content["device"] for content in contents]
    names = [device.replace("NVIDIA ", "") for device in devices]
    return "\n".join([
        BEGIN,
        f"From {', '.join(sources)},",
        f"made by `make gpu` on an {' and an '.join(devices)}. Numbers without a unit are",
        "ratios: the median of our time divided by that of the peer in the same process. The peer is NVIDIA's header",
        "or CUB, unless the row names another one.",
        f"{', '.join(met)} rows meet their bar.",
        "", f"| operation | {' | '.join(names)} | bar | met |", "| --- " * (len(names) + 3) + "|", *lines, END])


def table(root, mode):
    path = root / "docs/benchmarks.md"
    text = path.read_text()
    if BEGIN not in text or END not in text:
        sys.exit(f"gpu_report.py: docs/benchmarks.md has no place for the table: {BEGIN} ... {END}")
    begin, end = text.index(BEGIN), text.index(END) + len(END)
    wanted = text[:begin] + table_text(newest(root)) + text[end:]
    if mode == "--write":
        path.write_text(wanted)
    elif wanted != text:
        sys.exit("gpu_report.py: docs/benchmarks.md does not show the newest result; run tools/gpu_report.py table . --write")


def main(arguments):
    if len(arguments) == 8 and arguments[0] == "count":
        count(*arguments[1:])
    elif len(arguments) >= 3 and arguments[0] == "runs":
        return runs(arguments[1], arguments[2:])
    elif len(arguments) >= 3 and arguments[0] == "merge":
        merge(arguments[1], arguments[2:])
    elif len(arguments) == 3 and arguments[0] == "table" and arguments[2] in ("--write", "--check"):
        table(pathlib.Path(arguments[1]), arguments[2])
    else:
        sys.exit(__doc__)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"gpu_report.py: {error}")
