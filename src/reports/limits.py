# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Budgets of kernels: a TOML file with limits, and the kernels of a report that exceed them."""

import dataclasses
import fnmatch
import math

from counts import by_line, sums
from problem import Problem

# A limit is (its number, the number it is divided by, a factor of that number, whether a larger ratio is worse).
LIMITS = {"sectors": ("sectors", "ideal_sectors", 1, True), "wavefronts": ("wavefronts", "ideal_wavefronts", 1, True),
          "lanes": ("lanes", "requests", 32, False)}
FORM = "Limits are " + ", ".join(LIMITS) + ": in [all], or in [kernel.\"name\"] with * for any letters"


class Budget:
    def __init__(self, path):
        try:
            import tomllib
        except ImportError as error:
            raise Problem("cohort budget needs Python 3.11 or later, which reads TOML") from error
        try:
            with open(path, "rb") as file:
                content = tomllib.load(file)
        except OSError as error:
            raise Problem(f"{path} cannot be read: {error.strerror}") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise Problem(f"{path} is no TOML: {error}") from error
        self.path = path
        if unknown := set(content) - {"all", "kernel"}:
            raise Problem(f"{path}: [{min(unknown)}] is unknown. {FORM}")
        kernels = content.get("kernel", {})
        if not isinstance(kernels, dict):
            raise Problem(f"{path}: `kernel` is no table. {FORM}")
        self.all = self.checked("all", content.get("all", {}))
        self.kernels = {name: self.checked(f'kernel."{name}"', limits) for name, limits in kernels.items()}
        if not self.all and not any(self.kernels.values()):
            raise Problem(f"{path} has no limit. {FORM}")

    def checked(self, table, limits):
        if not isinstance(limits, dict):
            raise Problem(f"{self.path}: `{table}` is no table. {FORM}")
        for name, limit in limits.items():
            if name not in LIMITS:
                raise Problem(f"{self.path}: {name} in [{table}] is unknown. {FORM}")
            if type(limit) not in (int, float) or not math.isfinite(limit) or limit < 0:
                raise Problem(f"{self.path}: {name} in [{table}] is {limit!r}, and needs a number of at least 0")
        return limits

    def of(self, kernel, used):
        """The limits of a kernel: those of [all], replaced by those of each pattern that fits. Adds these to `used`."""
        limits = dict(self.all)
        for pattern, own in self.kernels.items():
            if kernel == pattern or fnmatch.fnmatchcase(kernel, pattern):
                limits.update(own)
                used.add(pattern)
        return limits


def ratio_of(numbers, limit):
    """The ratio that a limit restricts; None if the accesses lack the numbers for it."""
    number, base, factor, _ = LIMITS[limit]
    return numbers[number] / (factor * numbers[base]) if numbers.get(base) and number in numbers else None


def exceeds(ratio, limit, bound):
    return ratio is not None and (ratio > bound if LIMITS[limit][3] else ratio < bound)


def sentence(numbers, limit):
    number, base, factor, _ = LIMITS[limit]
    if factor != 1:
        return f"{numbers[number]} active lanes are {ratio_of(numbers, limit):.3f} of the lanes of {numbers[base]} warp accesses"
    return f"{numbers[number]} {number} are {ratio_of(numbers, limit):.3f} x the ideal of {numbers[base]}"


@dataclasses.dataclass
class Excess:
    """A kernel that exceeds a limit, with its lines that do: ((file, line), sentence)."""

    kernel: str
    limit: str
    bound: float
    sentence: str
    lines: list


def excesses(budget, kernels):
    used, found = set(), []
    for kernel, accesses in kernels.items():
        for limit, bound in budget.of(kernel, used).items():
            numbers = sums(accesses)
            if not exceeds(ratio_of(numbers, limit), limit, bound):
                continue
            places = [(place, sums(here)) for place, here in by_line(accesses).items()]
            lines = [(place, sentence(here, limit)) for place, here in sorted(places, key=lambda each: each[0])
                     if exceeds(ratio_of(here, limit), limit, bound)]
            found.append(Excess(kernel, limit, bound, sentence(numbers, limit), lines))
    for pattern in budget.kernels:
        if pattern not in used:
            raise Problem(f"{budget.path}: no kernel of the report fits [kernel.\"{pattern}\"]. The kernels are "
                          + (", ".join(sorted(kernels)) or "none"))
    return found


def findings(budget, kernels):
    """Lines about the kernels that exceed the budget; the lines of their sources follow."""
    texts = []
    for excess in excesses(budget, kernels):
        texts.append(f"{excess.kernel}: {excess.sentence}; the limit is {excess.bound}")
        texts += [f"  {file}:{line}: {text}" for (file, line), text in excess.lines]
    return texts
