# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways to compile and run a program of random kernels."""

import concurrent.futures
import dataclasses
import itertools
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT = 900
GPU_TIMEOUT = 20  # a kernel that does not end holds up all others
SEEDS = 8  # orders of threads that have a mode


@dataclasses.dataclass(frozen=True)
class Mode:
    name: str
    options: tuple
    environment: tuple = ()  # (name, value) pairs
    optimizes: bool = True
    checks: bool = False  # a finding is a difference
    cpu: str = "native"
    compiler: str = "cohortcc"  # a key of Programs.compilers

    @property
    def is_model(self):
        return self.name == "model"

    def runs(self, kernel, shape):
        """NVIDIA's headers leave some launches undefined."""
        return self.compiler != "nvcc" or not kernel.extends_cuda(shape)


MODEL = Mode("model", ("-std=c++17", "-O1", "-fwrapv", "-ffp-contract=off", "-w", "-DRANDOM_MODEL", "-x", "c++"),
             compiler="c++")
# A real GPU, with NVIDIA's headers and with Cohort's. The front end does not optimize, since it leaves undefined what
# PTX and Cohort define. -G would also leave out the optimizations of ptxas, and then NVIDIA's grid.sync() hangs.
NVCC = Mode("nvcc", ("-std=c++17", "-Xcicc", "-O0", "-arch=native", "-fmad=false"), optimizes=False, compiler="nvcc")
NVCC_COHORT = dataclasses.replace(NVCC, name="nvcc.cohort", options=(*NVCC.options, "-I", str(HERE.parents[1] / "include/compat")))


def cuda_mode(name, *options, cpu="native", **rest):
    return Mode(name, (*options, f"--cpu={cpu}"), cpu=cpu, **rest)


def all_modes(widths, other_cpus):
    """By name. Modes with one compilation and other environments share its program."""
    modes = [MODEL, NVCC, NVCC_COHORT, cuda_mode("O0", "-O0", optimizes=False), cuda_mode("planted_fault", "-DRANDOM_PLANTED_FAULT"),
             Mode("versions", ()),  # as users compile, for the CPUs of the default
             cuda_mode("check", "--check", checks=True)]
    for cpu in ("native", *other_cpus):
        suffix = "" if cpu == "native" else "." + cpu
        modes += [cuda_mode("loops" + suffix, "--cohort-gangs=off", cpu=cpu),
                  cuda_mode("stacks" + suffix, "--cohort-gangs=off", "-DRANDOM_STACKS", cpu=cpu),
                  # Orders of threads, with the program of `loops`.
                  *(cuda_mode(f"seed{seed}{suffix}", "--cohort-gangs=off", cpu=cpu, environment=(("COHORT_SCHEDULE", f"seed:{seed}"),))
                    for seed in range(1, SEEDS + 1)),
                  # A batch of kernels is a large source.
                  cuda_mode("auto" + suffix, "--cohort-gangs=all", cpu=cpu)]
        for width in widths:
            forced = cuda_mode(f"force{width}{suffix}", f"--cohort-gangs=force={width}", cpu=cpu)
            # The program of `forced`, run without its gangs.
            modes += [forced, dataclasses.replace(forced, name=f"single{width}{suffix}", environment=(("COHORT_GANGS", "off"),))]
    return {mode.name: mode for mode in modes}


class Programs:
    """Compiles sources in a folder, several at a time."""

    def __init__(self, cohortcc, cxx, nvcc, folder, jobs):
        self.compilers = {"cohortcc": cohortcc, "c++": cxx, "nvcc": nvcc}
        self.folder = pathlib.Path(folder)
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.numbers = itertools.count()

    def compile(self, mode, source):
        """(program, messages); the program is None if it does not compile."""
        path = self.folder / f"kernels_{mode.name.replace('.', '_')}_{next(self.numbers)}"
        path.with_suffix(".cu").write_text(source)
        command = [self.compilers[mode.compiler], "-w", *mode.options, "-I", HERE, path.with_suffix(".cu"), "-o", path]
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT)
        path.with_suffix(".cu").unlink()
        return (path if result.returncode == 0 else None), result.stderr


def run(mode, program, *arguments):
    """(status, stdout, stderr). COHORT_WORKERS=1 makes reports repeatable."""
    environment = dict(os.environ, COHORT_WORKERS="1", COHORT_TIMEOUT="20", **dict(mode.environment))
    limit = GPU_TIMEOUT if mode.compiler == "nvcc" else TIMEOUT
    try:
        result = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, check=False, timeout=limit)
    except subprocess.TimeoutExpired as end:
        return None, (end.stdout or b"").decode(), "the program did not end"
    return result.returncode, result.stdout, result.stderr


def launches(output):
    """(kernel, shape) -> result line with the sorted lines that the launch printed."""
    results, printed = {}, []
    for line in output.splitlines():
        if line.startswith("= "):
            name, shape, *result = line[2:].split()
            results[name, shape] = (*result, *sorted(printed))
            printed = []
        else:
            printed.append(line)
    return results
