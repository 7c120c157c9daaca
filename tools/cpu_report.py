#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the tables of CPU results from the newest files in bench/results:  cpu_report.py ROOT --write|--check

docs/benchmarks.md has the rows of cohort_bench on the two CPUs that were measured last, docs/world.md those of
cohort_world_bench. With --check, exit status 1 and a sentence where a table is not the one of the newest files."""

import json
import pathlib
import sys

sys.dont_write_bytecode = True  # Python writes no __pycache__ into the checkout

BEGIN, END = "<!-- made by tools/cpu_report.py -->\n", "<!-- end of the CPU table -->\n"


def newest_of_each(root, part=""):
    """The newest file of each CPU, the newest one first; `part` is the end of its name, such as "-world-2-devices"."""
    files = sorted(path for path in (root / "bench/results").glob(f"*{part}.json")
                   if "nvidia" not in path.name and any(k in path.name for k in ("-world-", "-check", "-compile")) == bool(part))
    if not files:
        sys.exit(f"cpu_report.py: bench/results has no file *{part}.json of a CPU; make one with `make bench`")
    date = len("2026-11-23-")
    return sorted({path.name[date:]: path for path in files}.values(), reverse=True)


def newest(root, part=""):
    return newest_of_each(root, part)[0]


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def ratio(lines, name):
    """The ratio to the first peer whose name begins with `name`."""
    return next((number(one["ratio"]) for one in lines if one["peer"].startswith(name) and one.get("ratio")), "")


def others(lines):
    named = ("hand-written", "pocl", "COHORT_GANGS", "limit")
    return ", ".join(f"{number(one['ratio'])} {one['peer']}" for one in lines
                     if one.get("ratio") and not one["peer"].startswith(named)
                     and (one["peer"] != "own switch" or one.get("bar")))


def bars(lines):
    """The bars of a row, each with the peer that it is about, and how many of them are met."""
    texts = []
    for one in lines:
        if one.get("bar"):
            peer = f"{number(one['theirs'])} {one['unit']}" if one["peer"] == "limit" else one["peer"].split(",")[0]
            texts.append(f"<= {peer}" if one["peer"] == "limit" else f"{one['bar']} {peer}")
    met = sum(bool(one.get("met")) for one in lines if one.get("bar"))
    return "; ".join(texts), f"{met} of {len(texts)}" if texts else ""


def table(results, name):
    rows = {}
    for one in results["rows"]:
        rows.setdefault(one["name"], []).append(one)
    lines = [f"From `bench/results/{name}`: {results['cpu']}, {results['cores']} cores, medians of interleaved repeats.",
             "The column `ours` has Cohort's result. The columns from `hand-written` to `other peers` have our result divided by",
             "that of the peer, and `met` counts the bars that are met. In rows in GB/s and GFlop/s more is better.",
             "[The rows](#the-rows-of-the-cpu-benchmark) are explained below.", "",
             "| row | ours | hand-written | pocl | gangs off | other peers | bars | met |",
             "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for row, of_row in rows.items():
        text, met = bars(of_row)
        if "failure" in of_row[0]:
            text, met = "", "failed"
        cells = [row, f"{number(of_row[0]['ours'])} {of_row[0]['unit']}", ratio(of_row, "hand-written"),
                 ratio(of_row, "pocl"), ratio(of_row, "COHORT_GANGS"), others(of_row), text, met]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def world_table(results, name):
    lines = [f"From `bench/results/{name}`: {results['cpu']}, {results['cores']} cores, "
             f"{results['versions']['MPI']}, medians of interleaved rounds. `1 x 32` is one block of 32 threads on each rank.", "",
             "| row | ours | beside | theirs | ratio | bar | met |", "| --- | --- | --- | --- | --- | --- | --- |"]
    for one in results["rows"]:
        cells = [one["name"], f"{number(one['ours'])} {one['unit']}", one["peer"], f"{number(one['theirs'])} {one['unit']}",
                 number(one["ratio"]), one["bar"], "yes" if one["met"] else "no"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def compile_table(results, name):
    lines = [f"From `bench/results/{name}`: {results['cpu']}, processor seconds, medians of interleaved repeats.", "",
             "| source | cohortcc | gangs off | nvcc | ratio to gangs off | ratio to nvcc | memory, cohortcc and nvcc | repeats |",
             "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for one in results["rows"]:
        memory = [f"{one['most_memory'][kind] / 1024:.0f} MiB" for kind in ("default", "nvcc")]
        cells = [f"`{one['name']}.cu`", *(str(one[key]) for key in ("default", "gangs_off", "nvcc", "to_gangs_off", "to_nvcc")),
                 ", ".join(memory), str(one["repeats"])]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def made(make_table, *files):
    return "\n".join(make_table(json.loads(file.read_text()), file.name) for file in files)


def main(arguments):
    if len(arguments) != 2 or arguments[1] not in ("--write", "--check"):
        sys.exit(__doc__)
    root = pathlib.Path(arguments[0])
    pages = {"docs/benchmarks.md": made(table, *newest_of_each(root)[:2]),
             "docs/cohortcc.md": made(compile_table, newest(root, "-compile")),
             "docs/world.md": made(world_table, newest(root, "-world-2-processes"), newest(root, "-world-2-devices"))}
    for name, tables in pages.items():
        page = root / name
        text = page.read_text()
        before, found, rest = text.partition(BEGIN)
        if not found or END not in rest:
            sys.exit(f"cpu_report.py: {name} lacks the lines around the table: {BEGIN}{END}")
        wanted = before + BEGIN + tables + END + rest.partition(END)[2]
        if arguments[1] == "--write":
            page.write_text(wanted)
        elif text != wanted:
            sys.exit(f"cpu_report.py: the table in {name} is not the newest result; run tools/cpu_report.py . --write")


if __name__ == "__main__":
    main(sys.argv[1:])
