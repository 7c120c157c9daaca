# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles each public header alone (and twice in a row):

  check_headers.py ROOT WORK c++  COMPILER [flag...]     include/cohort with a C++17 compiler
  check_headers.py ROOT WORK cuda COHORTCC [flag...]     cohort.hpp, launch.hpp, include/compat and include/cudart with cohortcc

A header that users include compiles although each name in user_macros/off.hpp is a macro.
First it proves with a header that lacks an include that a failure is seen."""

import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


# Headers for nvcc alone; tests/ptx compiles them.
GPU_ONLY = ("cohort/machine/ptx/", "cohort/machine/ptx_machine.hpp", "cohort/launch/cuda/",
            "compat/cooperative_groups/multi_device.h")
# Headers that include <mpi.h>, which not every machine has.
MPI = ("cohort/world_mpi.hpp", "cohort/launch/mpi/", "cohort/launch/world/mpi_network.hpp",
       "cohort/launch/world/mpi_opener.hpp")


def is_gpu_only(path, include):
    return path.relative_to(include).as_posix().startswith(GPU_ONLY)


def headers(root, language):
    include = root / "include"
    if language == "c++":
        yield from sorted(path for path in (include / "cohort").rglob("*.hpp") if not is_gpu_only(path, include))
    else:
        yield include / "cohort" / "cohort.hpp"
        yield include / "cohort" / "launch.hpp"
        yield from sorted(path for path in (include / "compat").rglob("*.h") if not is_gpu_only(path, include))
        # Folders below cudart hold parts of these headers, except nvtx3/ and cuda/, whose headers have no suffix.
        yield from sorted(path for path in (include / "cudart").iterdir() if path.suffix == ".h")
        yield from sorted((include / "cudart" / "nvtx3").iterdir())
        for folder in ("cuda", "cuda/std"):
            yield from sorted(path for path in (include / "cudart" / folder).glob("*")
                              if path.is_file() and path.suffix == "")


def collisions(root):
    """Options that define a macro for each name that the headers hide from users' macros."""
    hidden = (root / "include" / "cohort" / "base" / "user_macros" / "off.hpp").read_text()
    return [f"-D{name}=!" for name in re.findall(r"#undef (\w+)", hidden)]


def is_entry(header, root):
    """True if users include the header, in contrast to parts of the library."""
    path = header.relative_to(root / "include")
    return path.parts[0] != "cohort" or len(path.parts) == 2


def compiles_alone(header, work, language, command):
    """The compiler's messages, or None when it accepts the header."""
    suffix = ".cpp" if language == "c++" else ".cu"
    source = work / ("_".join(header.parts[-4:]).replace(".", "_") + suffix)
    source.write_text(f'#include "{header}"\n#include "{header}"\nint main() {{ return 0; }}\n')
    if language == "c++":
        output = ["-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    else:
        output = ["-std=c++17", "-O0", "-c", "-o", str(source) + ".o"]
    environment = dict(os.environ)
    if header.name == "cuda_runtime.h":
        environment["CPATH"] = str(work)  # cohortcc then reads this header and those in it, not their precompiled form
    result = subprocess.run([*command, *output, str(source)], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                            env=environment)
    return None if result.returncode == 0 else result.stderr + result.stdout


def main():
    root, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    language, command = sys.argv[3], sys.argv[4:]
    work.mkdir(parents=True, exist_ok=True)
    if language == "c++":
        command = [*command, "-I", str(root / "include")]
    probe = work / "probe_mpi.hpp"
    probe.write_text("#include <mpi.h>\n")
    no_mpi = language == "c++" and compiles_alone(probe, work, language, command) is not None

    bad = work / "lacks_an_include.hpp"
    bad.write_text("#pragma once\ninline uint32_t never_declared(uint32_t x) { return no_such_function(x); }\n")
    if compiles_alone(bad, work, language, command) is None:
        print("a header that cannot compile was accepted, so this check proves nothing")
        return 1

    tried = [header for header in headers(root, language)
             if not (no_mpi and header.relative_to(root / "include").as_posix().startswith(MPI))]
    if not tried:
        print(f"{root} has no headers")
        return 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        def message_of(header):
            macros = collisions(root) if is_entry(header, root) else []
            return compiles_alone(header, work, language, [*command, *macros])

        messages = list(pool.map(message_of, tried))
    failed = 0
    for header, message in zip(tried, messages):
        if message is not None:
            failed += 1
            print(f"--- {header.relative_to(root)} does not compile alone:\n{message}")
    print(f"{len(tried)} headers, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
