# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random kernels in several modes and compares all bytes that they write, what they print, and their reports."""

import dataclasses
import re

import kernels
import modes


CRASH = "Segmentation fault"  # how nvcc reports the end of its own front end


@dataclasses.dataclass
class Difference:
    kernel: kernels.Kernel
    shape: str
    first: modes.Mode
    second: modes.Mode
    results: tuple


def report_text(text):
    """The text of a report without what varies between runs: addresses, and the folder of the source."""
    return re.sub(r"0x[0-9a-f]+", "ADDRESS", re.sub(r"[\w/.-]*?kernels_[\w-]+\.cu", "kernels.cu", text))


def shape_text(shape):
    return "x".join((shape.split(", ") + ["1", "1"])[:3])


class Comparison:
    def __init__(self, programs, chosen):
        self.programs = programs
        self.modes = chosen

    def results(self, mode, program, some):
        """(kernel, shape) -> result, in one mode."""
        _, output, messages = modes.run(mode, program)
        found = modes.launches(output)
        for one in some:
            for shape in one.shapes:
                key = one.name, shape_text(shape)
                if one.may_fail:
                    _, output, text = modes.run(mode, program, *key)
                    report = report_text(text)
                    if one.kind != "misuse":  # the threads' lines, in any order
                        report = "".join(sorted(report.splitlines(True)))
                    found[key] = (modes.launches(output).get(key, "no result"), report)
                elif mode.runs(one, shape) and found.get(key, ("no result",))[0] != "cudaSuccess":
                    # The launch runs in a process of its own: an earlier launch may have ended the program, or failed,
                    # after which CUDA refuses all.
                    status, output, text = modes.run(mode, program, *key)
                    found[key] = modes.launches(output).get(key, f"no result: status {status}, {text[-300:]}")
                if mode.checks and re.search(rf"\b{one.name}\b", messages):
                    found[key] = f"finding: {messages[:600]}"
        return found

    def compile(self, mode, some):
        """Returns a future of [(program, messages, kernels)]: one program, or several if a kernel does not compile."""
        def attempt(part):
            program, messages = self.programs.compile(mode, kernels.program(part))
            if program or len(part) == 1 or "linker command failed" in messages:
                return [(program, messages, part)]
            middle = len(part) // 2
            return attempt(part[:middle]) + attempt(part[middle:])
        return self.programs.pool.submit(attempt, some)

    def all_results(self, some):
        """Returns {mode name: results}; the model's results lack the kernels that it cannot run."""
        waiting, compiled = {}, {}
        for mode in self.modes:
            fitting = [one for one in some if one.has_model or not mode.is_model]
            if fitting:
                waiting[mode.name] = mode
                if mode.options not in compiled:
                    compiled[mode.options] = self.compile(mode, fitting)
        found = {name: {} for name in waiting}
        for name, mode in waiting.items():
            for program, messages, part in compiled[mode.options].result():
                if program:
                    found[name].update(self.results(mode, program, part))
                else:
                    failure = f"does not compile: {messages[-1500:]}"
                    found[name].update({(one.name, shape_text(shape)): failure for one in part for shape in one.shapes})
        for parts in compiled.values():
            for program, _, _ in parts.result():
                if program:
                    program.unlink()
        return found

    def groups(self, one):
        """Returns lists of modes whose results must be equal for the kernel."""
        if one.has_one_meaning:
            return [[mode for mode in self.modes if one.has_model or not mode.is_model]]
        cpus = dict.fromkeys(mode.cpu for mode in self.modes)
        return [[mode for mode in self.modes if mode.optimizes and not mode.is_model and mode.cpu == cpu] for cpu in cpus]

    def differences(self, some):
        """Differences, and the names of kernels at which a compiler of someone else crashes: they are not compared."""
        found = self.all_results(some)
        result, crashed = [], set()
        for one in some:
            for group in self.groups(one):
                for text in one.shapes:
                    shape = shape_text(text)
                    for mode in group[1:]:
                        if not (group[0].runs(one, text) and mode.runs(one, text)):
                            continue
                        expected, got = (found[which.name].get((one.name, shape)) for which in (group[0], mode))
                        if mode.compiler == "nvcc" and isinstance(got, str) and got.startswith("does not compile") and CRASH in got:
                            crashed.add(one.name)
                        elif expected != got:
                            result.append(Difference(one, shape, group[0], mode, (expected, got)))
        return result, crashed
