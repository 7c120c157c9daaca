# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random kernels in several modes and compares all bytes that they write, what they print, and their reports."""

import dataclasses
import re

import kernels
import modes


@dataclasses.dataclass
class Difference:
    kernel: kernels.Kernel
    shape: str
    first: modes.Mode
    second: modes.Mode
    results: tuple


def report_text(text):
    """A report without what depends on the run: the folder of the source and addresses."""
    return re.sub(r"0x[0-9a-f]+", "ADDRESS", re.sub(r"[\w/.-]*?kernels_\w+\.cu", "kernels.cu", text))


def shape_text(shape):
    return "x".join((shape.split(", ") + ["1", "1"])[:3])


class Comparison:
    def __init__(self, programs, chosen):
        self.programs = programs
        self.modes = chosen

    def results(self, mode, program, some):
        """(kernel, shape) -> result, in one mode."""
        status, output, messages = modes.run(mode, program)
        found = modes.launches(output)
        for one in some:
            for shape in map(shape_text, one.shapes):
                if one.kind == "misuse":
                    _, output, text = modes.run(mode, program, one.name, shape)
                    found[one.name, shape] = (modes.launches(output).get((one.name, shape), "no result"), report_text(text))
                else:
                    found.setdefault((one.name, shape), f"no result: status {status}, {messages[-300:]}")
        return found

    def all_results(self, some):
        """mode name -> results; kernels without a model are left out of the model's."""
        waiting, compiled = {}, {}
        for mode in self.modes:
            fitting = [one for one in some if one.has_model or not mode.is_model]
            if fitting and mode.options not in compiled:
                compiled[mode.options] = self.programs.compile(mode, kernels.program(fitting))
            if fitting:
                waiting[mode.name] = (mode, fitting)
        found = {}
        for name, (mode, fitting) in waiting.items():
            program, messages = compiled[mode.options].result()
            if program is None:
                failure = f"does not compile: {messages[-1500:]}"
                found[name] = {(one.name, shape_text(shape)): failure for one in fitting for shape in one.shapes}
            else:
                found[name] = self.results(mode, program, fitting)
        for future in compiled.values():
            if future.result()[0]:
                future.result()[0].unlink()
        return found

    def groups(self, one):
        """Modes in which the kernel must have equal results."""
        if one.has_one_meaning:
            return [[mode for mode in self.modes if one.has_model or not mode.is_model]]
        cpus = dict.fromkeys(mode.cpu for mode in self.modes)
        return [[mode for mode in self.modes if mode.optimizes and not mode.is_model and mode.cpu == cpu] for cpu in cpus]

    def differences(self, some):
        found = self.all_results(some)
        result = []
        for one in some:
            for group in self.groups(one):
                for shape in map(shape_text, one.shapes):
                    for mode in group[1:]:
                        expected, got = (found[which.name].get((one.name, shape)) for which in (group[0], mode))
                        if expected != got:
                            result.append(Difference(one, shape, group[0], mode, (expected, got)))
        return result
