# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports of COHORT_COUNT: reading them, and sums of their numbers."""

import json
import re

from problem import Problem
from text_files import read_input

NUMBERS = ("requests", "lanes", "bytes", "sectors", "ideal_sectors", "tag_requests", "wavefronts", "ideal_wavefronts",
           "distinct_addresses")
SHAPE_TRIPLES, SHAPE_NUMBERS = ("grid", "block", "cluster"), ("launches", "static_shared_bytes", "dynamic_shared_bytes")
BEGINNING = re.compile(r"\s*\{\s*\"report\"\s*:\s*\"cohort-count\"")


def is_counts(text):
    """Whether the input is a report of COHORT_COUNT."""
    return bool(BEGINNING.match(text))


def read(path):
    """The kernels of a report, by name: lists of accesses."""
    return lists_of(load(path), path, "accesses", checked)


def read_shapes(path):
    """The shapes of the launches of each kernel."""
    return lists_of(load(path), path, "shapes", checked_shape)


def load(path):
    return parse(read_input(path, lambda _: "Write one report for each program"), path)


def parse(text, path):
    """The object of a report. Its kernels are not checked yet."""
    try:
        report = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Problem(f"{path} is no JSON: {error}. COHORT_COUNT={path} ./program writes a report") from error
    if not isinstance(report, dict) or report.get("report") != "cohort-count":
        raise Problem(f"{path} is no report of COHORT_COUNT. A program compiled with cohortcc --count writes one")
    if report.get("version") != 1:
        raise Problem(f"{path} has version {report.get('version')!r} of the report, and this command reads 1. "
                      "Write it again with this version of Cohort")
    return report


def lists_of(report, path, name, check):
    """A list of each kernel, by the kernel's name."""
    try:
        return {checked_name(kernel["kernel"]): [check(row) for row in kernel[name]] for kernel in report["kernels"]}
    except (KeyError, TypeError, AttributeError) as error:
        raise Problem(f"{path} is damaged: {error!r}. Write it again") from error


def checked_name(kernel):
    if not isinstance(kernel, str):
        raise TypeError(f"the name of a kernel is {kernel!r}")
    return kernel


def is_whole(value, end):
    return type(value) is int and 0 <= value < end


def checked(access):
    if not isinstance(access, dict):
        raise TypeError(f"an access is {access!r}")
    for name in NUMBERS:
        if name in access and not is_whole(access[name], 1 << 64):
            raise TypeError(f"{name} is {access[name]!r}")
    if not isinstance(access.get("file", ""), str) or not is_whole(access.get("line", 0), 1 << 32):
        raise TypeError(f"a place is {access.get('file')!r}, line {access.get('line')!r}")
    return access


def checked_shape(shape):
    triples = [shape[name] for name in SHAPE_TRIPLES]
    if not all(isinstance(triple, list) and len(triple) == 3 for triple in triples):
        raise TypeError(f"a shape is {shape!r}")
    if not all(type(n) is int and n > 0 for triple in triples for n in triple) or \
            not all(type(shape[name]) is int for name in SHAPE_NUMBERS):
        raise TypeError(f"a shape is {shape!r}")
    return shape


def sums(accesses):
    """The sum of each number over the accesses that have it."""
    result = {}
    for access in accesses:
        for name in NUMBERS:
            if name in access:
                result[name] = result.get(name, 0) + access[name]
    return result


def by_line(accesses):
    """The accesses of each source line: {(file, line): accesses}."""
    result = {}
    for access in accesses:
        result.setdefault((access.get("file", "?"), access.get("line", 0)), []).append(access)
    return result
