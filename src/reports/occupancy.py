# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many blocks of a launch a GPU runs at once, and in how many waves. The limits are those of the CUDA guide, in the
section about compute capabilities."""

import re
import subprocess

from gpus import CAPABILITIES, GPUS, KIB
from problem import Problem

REGISTER_UNIT = 256    # registers, which a warp gets in multiples of this
PARTITIONS = 4         # parts of a multiprocessor; each has a quarter of the registers
REGISTERS = 65536
PTXAS_KERNEL = re.compile(r"Compiling entry function '([^']+)'")
PTXAS_REGISTERS = re.compile(r"Used (\d+) registers")


def volume(triple):
    return triple[0] * triple[1] * triple[2]


def rounded_up(value, unit):
    return -(-value // unit) * unit


def blocks_per_multiprocessor(capability, threads, shared, registers):
    """The limits by cause, as {cause: blocks}. `registers`: of a thread; None if unknown."""
    most = CAPABILITIES[capability]
    warps = -(-threads // 32)
    limits = {"blocks": most.blocks, "threads": most.threads // 32 // warps}
    if taken := rounded_up(shared + most.reserved_shared, most.shared_unit):
        limits["shared memory"] = most.shared_kib * KIB // taken
    if registers:
        of_warp = rounded_up(32 * registers, REGISTER_UNIT)
        warps_that_fit = REGISTERS // PARTITIONS // of_warp * PARTITIONS
        limits["registers"] = warps_that_fit // warps
    return limits


def read_registers(text):
    """The registers of kernels: a number for all, or a file with the output of `ptxas -v`. {name: number}, "" for all."""
    if text.isdigit():
        if not 1 <= int(text) <= 255:
            raise Problem(f"--registers {text}: a thread has 1 to 255 registers")
        return {"": int(text)}
    try:
        with open(text, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except (OSError, ValueError) as error:
        raise Problem(f"{text} cannot be read: {getattr(error, 'strerror', error)}") from error
    found, kernel = {}, None
    for line in lines:
        if match := PTXAS_KERNEL.search(line):
            kernel = match[1]
        elif kernel and (match := PTXAS_REGISTERS.search(line)):
            found[kernel] = int(match[1])
            kernel = None
    if not found:
        raise Problem(f"{text} names no kernel's registers. `nvcc -cubin -Xptxas -v kernel.cu 2>{text}` writes them")
    try:
        names = subprocess.run(["c++filt"], input="\n".join(found), text=True, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Problem("names of kernels need c++filt, which is not installed (binutils)") from error
    return dict(zip(names.stdout.splitlines(), found.values()))


def describe(gpu, shape, registers):
    """Sentences about the launches of one shape."""
    multiprocessors, capability = GPUS[gpu].multiprocessors, GPUS[gpu].capability
    threads, cluster = volume(shape["block"]), volume(shape["cluster"])
    shared = shape["static_shared_bytes"] + shape["dynamic_shared_bytes"]
    limits = blocks_per_multiprocessor(capability, threads, shared, registers)
    each = min(limits.values())
    causes = " and ".join(cause for cause, blocks in limits.items() if blocks == each)
    most_warps = CAPABILITIES[capability].threads // 32
    text = [f"  {shape['launches']} x grid {shape['grid']}, block {shape['block']}, cluster {shape['cluster']}, "
            f"{shared} bytes of shared memory, {registers or 'unknown'} registers"]
    if each == 0:
        return [*text, f"    does not fit a multiprocessor: {causes}"]
    warps = -(-threads // 32)
    text.append(f"    {each} blocks on a multiprocessor, {each * warps} of {most_warps} warps "
                f"({100 * each * warps / most_warps:.1f} %), limited by {causes}")
    resident = each * multiprocessors // cluster * cluster
    blocks = volume(shape["grid"])
    if resident == 0:
        return [*text, "    a cluster has more blocks than the GPU runs at once"]
    waves = -(-blocks // resident)
    last = blocks - (waves - 1) * resident
    text.append(f"    {blocks} blocks in {waves} waves of {resident}; the last one has {last} ({100 * last / resident:.1f} %)")
    if cluster > 1:
        text.append("    a cluster lies in one part of the GPU (GPC), which can make the waves smaller")
    return text


def lines_about(gpu, shapes, registers):
    """A text about all launches. `shapes`: by kernel. `registers`: as read_registers() returns them."""
    card = GPUS[gpu]
    lines = [f"{gpu}: {card.multiprocessors} multiprocessors of compute capability {card.capability // 10}.{card.capability % 10}"]
    unknown = False
    for kernel, of_kernel in shapes.items():
        number = registers.get(kernel, registers.get(""))
        unknown = unknown or number is None
        lines.append(kernel)
        for shape in of_kernel:
            lines += describe(gpu, shape, number)
    if unknown:
        lines.append("Registers are unknown where --registers does not give them. They can lower each number.")
    return lines
