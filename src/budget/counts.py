# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports of COHORT_COUNT: reading them, and sums of their numbers."""

import json

LARGEST = 256 << 20  # bytes of a report
NUMBERS = ("requests", "lanes", "bytes", "sectors", "ideal_sectors", "tag_requests", "wavefronts", "ideal_wavefronts",
           "distinct_addresses")


class Problem(Exception):
    """An input that is refused. The text names the remedy."""


def read(path):
    """The kernels of a report, by name: lists of accesses."""
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise Problem(f"{path} cannot be read: {getattr(error, 'strerror', error)}") from error
    if len(data) > LARGEST:
        raise Problem(f"{path} has more than {LARGEST >> 20} MiB")
    try:
        report = json.loads(data.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise Problem(f"{path} is no JSON: {error}. COHORT_COUNT={path} ./program writes a report") from error
    if not isinstance(report, dict) or report.get("report") != "cohort-count":
        raise Problem(f"{path} is no report of COHORT_COUNT. A program compiled with cohortcc --count writes one")
    if report.get("version") != 1:
        raise Problem(f"{path} has version {report.get('version')!r} of the report, and this command reads 1. "
                      "Write it again with this version of Cohort")
    try:
        return {kernel["kernel"]: [checked(access) for access in kernel["accesses"]] for kernel in report["kernels"]}
    except (KeyError, TypeError, AttributeError) as error:
        raise Problem(f"{path} is damaged: {error!r}. Write it again") from error


def checked(access):
    for name in NUMBERS:
        if name in access and type(access[name]) is not int:
            raise TypeError(f"{name} is {access[name]!r}")
    return access


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
