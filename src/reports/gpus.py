# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GPUs and compute capabilities that the engine knows: the rows of its table gpus.inc."""

import json
import pathlib
import re
from typing import NamedTuple

KIB = 1024
ROW = re.compile(r"^COHORT_(CAPABILITY|GPU)\((.*)\)$", re.MULTILINE)


class Capability(NamedTuple):
    number: int  # 10 * major + minor
    threads: int
    blocks: int
    shared_kib: int
    shared_optin_kib: int
    reserved_shared: int  # bytes that a block takes in addition to the kernel's
    shared_unit: int
    cluster: int
    float_to_double_ratio: int


class Gpu(NamedTuple):
    name: str
    product: str
    capability: int
    multiprocessors: int
    clock_mhz: int
    memory_clock_mhz: int
    bus_bits: int
    cache_kib: int
    memory_gib: int


def read_table():
    """The rows by kind. The table lies beside this file in an installation, and with the engine in a checkout."""
    here = pathlib.Path(__file__).resolve().parent
    installed = here / "gpus.inc"
    path = installed if installed.exists() else here.parent / "engine" / "settings" / "gpus.inc"
    rows = {"CAPABILITY": [], "GPU": []}
    for kind, columns in ROW.findall(path.read_text(encoding="utf-8")):
        rows[kind].append(json.loads(f"[{columns}]"))
    return rows


ROWS = read_table()
CAPABILITIES = {row[0]: Capability(*row) for row in ROWS["CAPABILITY"]}
GPUS = {row[0]: Gpu(*row) for row in ROWS["GPU"]}
