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
GPU_TIMEOUT = 20  # seconds; a kernel that does not end holds up all other kernels
SEEDS = 8  # number of schedules, each a mode


@dataclasses.dataclass(frozen=True)
class Mode:
    name: str
    options: tuple
    environment: tuple = ()  # (name, value) pairs
    optimizes: bool = True
    checks: bool = False  # a finding of the checker is a difference
    cpu: str = "native"
    compiler: str = "cohortcc"  # a key of Programs.compilers

    @property
    def is_model(self):
        return self.name == "model"

    def runs(self, kernel, shape):
        """Whether the mode can run the launch: NVIDIA's headers leave some undefined."""
        return self.compiler != "nvcc" or not kernel.extends_cuda(shape)


MODEL = Mode("model", ("-std=c++17", "-O1", "-fwrapv", "-ffp-contract=off", "-w", "-DRANDOM_MODEL", "-x", "c++"),
             compiler="c++")
# A real GPU, with NVIDIA's headers and with Cohort's. clang's front end does not optimize, because it would use
# undefined behaviour that PTX and Cohort define. -G would disable ptxas's optimizations too, and then NVIDIA's
# grid.sync() hangs.
NVCC = Mode("nvcc", ("-std=c++17", "-Xcicc", "-O0", "-arch=native", "-fmad=false"), optimizes=False, compiler="nvcc")
NVCC_COHORT = dataclasses.replace(NVCC, name="nvcc.cohort", options=(*NVCC.options, "-I", str(HERE.parents[1] / "include/compat")))


def cuda_mode(name, *options, cpu="native", **rest):
    return Mode(name, (*options, f"--cpu={cpu}"), cpu=cpu, **rest)


def all_modes(widths, other_cpus):
    """Returns {name: mode}. Modes with equal compilations and different environments share one program."""
    modes = [MODEL, NVCC, NVCC_COHORT, cuda_mode("O0", "-O0", optimizes=False), cuda_mode("planted_fault", "-DRANDOM_PLANTED_FAULT"),
             Mode("versions", ()),  # the options of most users, for the default CPUs
             cuda_mode("check", "--check", checks=True)]
    for cpu in ("native", *other_cpus):
        suffix = "" if cpu == "native" else "." + cpu
        modes += [cuda_mode("loops" + suffix, "--cohort-gangs=off", cpu=cpu),
                  cuda_mode("stacks" + suffix, "--cohort-gangs=off", "-DRANDOM_STACKS", cpu=cpu),
                  # Other orders of threads, with the program of the mode `loops`.
                  *(cuda_mode(f"seed{seed}{suffix}", "--cohort-gangs=off", cpu=cpu, environment=(("COHORT_SCHEDULE", f"seed:{seed}"),))
                    for seed in range(1, SEEDS + 1)),
                  # A batch of kernels is a large source, so =all makes gangs of them.
                  cuda_mode("auto" + suffix, "--cohort-gangs=all", cpu=cpu)]
        for width in widths:
            forced = cuda_mode(f"force{width}{suffix}", f"--cohort-gangs=force={width}", cpu=cpu)
            # The program of the mode `forced`, run without gangs.
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
        """Returns (program, messages); the program is None if the source does not compile."""
        path = self.folder / f"kernels_{mode.name.replace('.', '_')}_{next(self.numbers)}"
        path.with_suffix(".cu").write_text(source)
        command = [self.compilers[mode.compiler], "-w", *mode.options, "-I", HERE, path.with_suffix(".cu"), "-o", path]
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT)
        path.with_suffix(".cu").unlink()
        return (path if result.returncode == 0 else None), result.stderr


def run(mode, program, *arguments):
    """Returns (status, stdout, stderr). COHORT_WORKERS=1 makes reports repeatable."""
    environment = dict(os.environ, COHORT_WORKERS="1", COHORT_TIMEOUT="20", **dict(mode.environment))
    limit = GPU_TIMEOUT if mode.compiler == "nvcc" else TIMEOUT
    try:
        result = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, check=False, timeout=limit)
    except subprocess.TimeoutExpired as end:
        return None, (end.stdout or b"").decode(), "the program did not end"
    return result.returncode, result.stdout, result.stderr


def launches(output):
    """Reads {(kernel, shape): result line with the sorted lines that the launch printed}."""
    results, printed = {}, []
    for line in output.splitlines():
        if line.startswith("= "):
            name, shape, *result = line[2:].split()
            results[name, shape] = (*result, *sorted(printed))
            printed = []
        else:
            printed.append(line)
    return results
