#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares kernels over Cohort's groups with the same kernels over NVIDIA's: registers, occupancy, code, stack.

  compare.py --nvcc NVCC [--target 90 ...] [--family NAME ...] [--jobs N] [--list] [--page FILE --write|--check]

Compiles each family of kernels/ by pair.cu, for all targets if none is given, and reads the assembler's figures and
the code in the image. Prints a line for each finding; --list prints all pairs. --page writes or checks the table in
FILE, a row for each target, for the compiler that the table names. Exit status 1: a limit does not hold.

Limits: a kernel with fewer resident blocks at any block size, with more registers, more local memory or more than
1.02 of the code of its peer is in exceptions.txt, with the reason. The median of all code ratios
of a target is at most 1.02."""

import argparse
import concurrent.futures
import pathlib
import re
import statistics
import struct
import subprocess
import sys
import tempfile

BEGIN, END = "<!-- made by tests/ptx/registers/compare.py -->", "<!-- end of the registers -->"
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
INSTRUCTION = 16  # bytes of an instruction
NOP = 0x918       # the low 12 bits of an instruction that pads a function

# Warps and blocks that a multiprocessor holds (CUDA C++ Programming Guide, "Compute Capabilities"). It has 65536
# registers, which warps get in units of 256, four warps at a time.
RESIDENT = {"75": (32, 16), "80": (64, 32), "90": (64, 32), "100": (64, 32), "120": (48, 24)}
BLOCK_SIZES = (64, 128, 256, 512, 1024)


def resident_blocks(target, registers, threads):
    """The blocks of `threads` threads that a multiprocessor holds at a time."""
    most_warps, most_blocks = RESIDENT[target]
    warps = threads // 32
    by_registers = 65536 // (-(-registers * 32 // 256) * 256) // 4 * 4
    return min(most_blocks, most_warps // warps, by_registers // warps)


def loses_occupancy(target, ours, theirs):
    return any(resident_blocks(target, ours, size) < resident_blocks(target, theirs, size) for size in BLOCK_SIZES)


def code_sizes(image):
    """{function: instructions without the padding at its end} of an ELF image."""
    offset, = struct.unpack_from("<Q", image, 40)
    size, count, names_at = struct.unpack_from("<HHH", image, 58)
    headers = [struct.unpack_from("<IIQQQQ", image, offset + i * size) for i in range(count)]
    names = headers[names_at][4]
    found = {}
    for name_at, _, _, _, start, length in headers:
        end = image.index(b"\0", names + name_at)
        name = image[names + name_at:end].decode()
        if not name.startswith(".text."):
            continue
        last = length // INSTRUCTION
        while last > 0 and struct.unpack_from("<H", image, start + (last - 1) * INSTRUCTION)[0] & 0xfff == NOP:
            last -= 1
        found[name[len(".text."):]] = last
    return found


def compile_family(nvcc, family, target, source):
    """{mangled name: (registers, stack and spilled bytes, instructions)} of all kernels of a family."""
    with tempfile.TemporaryDirectory() as folder:
        image = pathlib.Path(folder) / "image.cubin"
        command = [nvcc, "-std=c++17", f"-arch=sm_{target}", "-cubin", "-Xptxas", "-v", f'-DFAMILY="{family}"',
                   f"-I{HERE}", f"-I{ROOT / 'include'}", str(source), "-o", str(image)]
        built = subprocess.run(command, capture_output=True, text=True)
        if built.returncode != 0:
            sys.exit(f"compare.py: {' '.join(command)}\n{built.stderr}")
        sizes = code_sizes(image.read_bytes())
    figures = {}
    pattern = (r"Compiling entry function '(\w+)'.*?"
               r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads.*?Used (\d+) registers")
    for name, stack, stores, loads, registers in re.findall(pattern, built.stderr, re.S):
        figures[name] = (int(registers), int(stack) + int(stores) + int(loads), sizes[name])
    return figures


def readable(name):
    """`_ZN4ours4findILj8EEE...` as `find<8>`."""
    rest = name[len("_ZN4ours"):]
    length = re.match(r"\d+", rest).group(0)
    word = rest[len(length):len(length) + int(length)]
    rest = rest[len(length) + int(length):]
    types = {"f": "float", "d": "double", "i": "int", "x": "long long"}
    arguments = []
    if rest.startswith("I"):
        for number, kind in re.findall(r"L[ij](\d+)E|([fdix])", rest[1:rest.index("EE") + 1 if "EE" in rest else None]):
            arguments.append(number or types[kind])
    return word + (f"<{', '.join(arguments)}>" if arguments else "")


def compare(nvcc, family, target, source):
    """A row for each pair of kernels."""
    figures = compile_family(nvcc, family, target, source)
    rows = []
    for name, ours in figures.items():
        if not name.startswith("_ZN4ours"):
            continue
        theirs = figures[name.replace("4ours", "4peer")]
        rows.append({"family": pathlib.Path(family).stem, "target": target, "kernel": readable(name),
                     "registers": (ours[0], theirs[0]), "memory": (ours[1], theirs[1]),
                     "code": (ours[2], theirs[2])})
    return rows


def describe(row):
    ours, theirs = zip(row["registers"], row["code"], row["memory"])
    return (f"sm_{row['target']} {row['family']}: {row['kernel']}: {ours[0]} registers, peer {theirs[0]}; "
            f"{ours[1]} instructions, peer {theirs[1]}; {ours[2]} bytes of local memory, peer {theirs[2]}")


def read_exceptions():
    """Reads {(family, kernel): kinds} from the lines `FAMILY: KERNEL | KINDS | REASON`."""
    found = {}
    for line in (HERE / "exceptions.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, kinds, reason = (part.strip() for part in line.split("|"))
            if not reason:
                sys.exit(f"compare.py: exceptions.txt: {name} has no reason")
            found[tuple(name.split(": "))] = set(kinds.split())
    return found


def kinds_of(row):
    """The limits that a pair exceeds."""
    kinds = set()
    if loses_occupancy(row["target"], *row["registers"]):
        kinds.add("blocks")
    elif row["registers"][0] > row["registers"][1]:
        kinds.add("registers")
    if row["memory"][0] > row["memory"][1]:
        kinds.add("memory")
    if row["code"][0] > 1.02 * row["code"][1]:
        kinds.add("code")
    return kinds


def table_row(target, rows):
    more = [ours - theirs for ours, theirs in (row["registers"] for row in rows) if ours > theirs]
    fewer = sum(ours < theirs for ours, theirs in (row["registers"] for row in rows))
    ratios = [row["code"][0] / row["code"][1] for row in rows]
    counts = [sum(kind in kinds_of(row) for row in rows) for kind in ("blocks", "memory", "code")]
    return (f"| sm_{target} | {len(rows)} | {fewer} | {len(rows) - fewer - len(more)} | {len(more)} | "
            f"{max(more, default=0)} | {counts[0]} | {counts[1]} | {statistics.median(ratios):.2f} | {counts[2]} |")


def nvcc_version(nvcc):
    printed = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"V(\d+\.\d+)", printed).group(1)


def update_page(page, nvcc, lines, write):
    """Writes the rows into the table of a page, or compares them with it. False: a row differs."""
    text = page.read_text(encoding="utf-8")
    begin, end = text.index(BEGIN), text.index(END)
    columns = ["target", "pairs", "fewer registers", "equal", "more", "at most", "fewer resident blocks",
               "more local memory", "code, median", "code above 1.02"]
    title = (f"{BEGIN}\nPairs of kernels, compiled by nvcc {nvcc_version(nvcc)}. "
             "`at most` is the largest number of additional registers.\n\n"
             f"| {' | '.join(columns)} |\n{'| --- ' * len(columns)}|\n")
    if write:
        page.write_text(text[:begin] + title + "\n".join(lines) + "\n" + text[end:], encoding="utf-8")
        return True
    if not text[begin:end].startswith(title):
        print(f"skipped: the table of {page.name} is not from nvcc {nvcc_version(nvcc)}")
        return True
    absent = [line for line in lines if line not in text[begin:end]]
    for line in absent:
        print(f"{page.name} has another row: {line}")
    return not absent


def findings(rows, exceptions):
    """A line for each pair that exceeds a limit and is no exception, and for each median above the limit."""
    found = []
    for row in rows:
        kinds = kinds_of(row) - exceptions.get((row["family"], row["kernel"]), set())
        if kinds:
            found.append(f"{', '.join(sorted(kinds))}: {describe(row)}")
    for target in sorted({row["target"] for row in rows}, key=int):
        median = statistics.median(row["code"][0] / row["code"][1] for row in rows if row["target"] == target)
        if median > 1.02:
            found.append(f"sm_{target}: the median of the code ratios is {median:.3f}")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--target", action="append")
    parser.add_argument("--family", action="append")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    families = arguments.family or sorted(path.stem for path in (HERE / "kernels").glob("*.cu"))
    targets = arguments.target or list(RESIDENT)
    work = [(f"kernels/{family}.cu", target) for target in targets for family in families]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        made = pool.map(lambda item: compare(arguments.nvcc, *item, HERE / "pair.cu"), work)
        rows = [row for part in made for row in part]
    if arguments.list:
        for row in rows:
            print(describe(row))
    found = findings(rows, read_exceptions())
    for line in found:
        print(line)
    lines = [table_row(target, [row for row in rows if row["target"] == target]) for target in targets]
    print("\n".join(lines))
    good = not found
    if arguments.page and (arguments.write or arguments.check):
        good = update_page(arguments.page, arguments.nvcc, lines, arguments.write) and good
    return 0 if good else 1


sys.exit(main())
