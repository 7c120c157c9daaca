# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks all public names of CUDA 13.0, and with --cuda-version=13.5 those that the versions up to 13.5 added: each is
there, with CUDA's number or layout, or it is a function that a page of the documentation lists as missing, by a topic
that is the reason.

test_names.py COHORTCC ROOT"""

import fnmatch
import pathlib
import re
import sys
import tempfile

import names

# Headers that a source includes for the names; they include the other headers.
INCLUDES = ("cuda.h", "cudaProfiler.h", "cuda_profiler_api.h", "cuda_runtime.h", "cuda_occupancy.h", "texture_types.h",
            "surface_types.h", "cuda_device_runtime_api.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cuda_fp6.h",
            "cuda_fp4.h", "cuda_pipeline_primitives.h", "cuda_awbarrier_primitives.h")
PAGES = ("docs/cuda-runtime.md", "docs/device-functions.md")
# For each list of names: the sections that list its missing names, the options of cohortcc, and the
# least number of names found.
LISTS = ((names.LIST, "## What is missing\n", [], 3500),
         (names.NEWER, "## What is missing of CUDA 13.1", ["--cuda-version=13.5"], 90))


# The patterns in the tables of a section: {pattern: topic}.
def missing_patterns(root, title):
    patterns = {}
    for page in PAGES:
        section = "".join((root / page).read_text().split(title)[1:]).split("\n## ")[0]
        for topic, calls in re.findall(r"^\| ([^|]+) \| (.*) \|$", section, re.MULTILINE):
            for pattern in re.findall(r"`([\w*]+)`", calls.split("; in kernels")[0]):
                patterns[pattern] = topic.strip()
    return patterns


def complaints(listed, found, patterns):
    used = set()
    for kind, name in listed:
        matches = [pattern for pattern in patterns if fnmatch.fnmatchcase(name, pattern)] if kind == "function" else []
        used.update(matches)
        if (kind, name) in found:
            if matches:
                yield f"{name} exists, but {matches[0]} is in the list of what is missing"
            if found[kind, name] != listed[kind, name]:
                yield f"{kind} {name}: {found[kind, name]!r}, but CUDA has {listed[kind, name]!r}"
        elif not matches:
            yield f"{kind} {name} of CUDA neither exists nor is it in a list of what is missing"
    for pattern in set(patterns) - used:
        yield f"{pattern} is in the list of what is missing, but CUDA has nothing of that name"


def check(cohortcc, root, path, title, options, least):
    listed = {name: facts for header in names.read(path).values() for name, facts in header.items()}
    includes = "".join(f"#include <{header}>\n" for header in INCLUDES)
    with tempfile.TemporaryDirectory() as folder:
        command = [cohortcc, *options, "-c", "-w", "-o", folder + "/never_made.o", "-Xcompiler=" + ",".join(names.CHECK_ONLY)]
        found = names.probe(command, includes, list(listed), names.members_of(listed))
    wrong = list(complaints(listed, found, missing_patterns(root, title)))
    for sentence in wrong:
        print(sentence)
    print(f"{len(found)} of {len(listed)} names exist")
    return not wrong and len(found) > least


def main(cohortcc, root):
    return 0 if all([check(cohortcc, root, *each) for each in LISTS]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
