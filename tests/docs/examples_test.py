# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs the C++ examples of a page:  examples_test.py PAGE LEAST ROOT BUILD FOLDER

PAGE has at least LEAST blocks in the language `cpp`. They are compiled together in their order, those with CUDA's words
as one CUDA source, the others as one source in plain C++. An example with a result has one of two forms:
  - A comment "// <<<GRID, BLOCK>>>" or "// cooperative <<<GRID, BLOCK>>>" before a kernel with the parameter `int* out`,
    and a comment "// out: VALUES" that ends the block: the values that the launch leaves in `out`.
  - A function `void NAME()` of the host: each of its printf(...) has its output in a comment on the same line."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # the checkout stays clean

from page_blocks import blocks

CUDA = re.compile(r"__global__|__device__|<<<|cg::|\bcuda[A-Z]|cooperative_groups")
LAUNCH = re.compile(r"^// (cooperative )?<<<(.+)>>>$", re.MULTILINE)
KERNEL = re.compile(r"__global__ (?:__cluster_dims__\(\d+\) )?void (\w+)\(")
VALUES = re.compile(r"^// out: (.+)$", re.MULTILINE)
HOST = re.compile(r"^void (\w+)\(\) \{$", re.MULTILINE)
PRINTED = re.compile(r"printf\(.*\);\s*// (.+)$", re.MULTILINE)
TIME_LIMIT_S = 120

RESULTS = """
#include <cohort/launch.hpp>
#include <cstdio>
#include <cstring>
static int* new_result() {
  static int* out;
  if (out == nullptr) cudaMallocManaged(&out, 4096 * sizeof(int));
  std::memset(out, 0xee, 4096 * sizeof(int));
  return out;
}
static void print_result(const int* out, int n) {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s", cudaGetErrorString(error));
  for (int i = 0; i < n; ++i) std::printf(i == 0 ? "%d" : " %d", out[i]);
  std::printf("\\n");
}
"""


def launch(kernel, is_cooperative, shape, count):
    """A statement that launches the kernel and prints `count` values."""
    grid, threads = shape.split(", ")
    call = f"{kernel}<<<{grid}, {threads}>>>(out);"
    if is_cooperative:
        call = f"if (auto e = cohort::launch_cooperative({{{grid}, {threads}}}, {kernel}, out)) std::puts(cohort::message(e));"
    return f"  {{ int* out = new_result(); {call} print_result(out, {count}); }}"


def source(examples):
    """(the source, [(line of the page, expected line of output)]) of the blocks."""
    includes, bodies, calls, expected = [], [], [], []
    for example in examples:
        includes += re.findall(r"^#include .*$", example.body, re.MULTILINE)
        body = re.sub(r"^#include .*$", "", example.body, flags=re.MULTILINE)
        bodies.append(f'#line {example.line + 1} "page"\n{body}')
        for match in VALUES.finditer(body):
            kernels, shapes = KERNEL.findall(body), LAUNCH.findall(body)
            if len(kernels) != 1 or len(shapes) != 1:
                raise ValueError(f"line {example.line}: {len(kernels)} kernels, {len(shapes)} launches; there must be one")
            values = match[1].split()
            calls.append(launch(kernels[0], *shapes[0], len(values)))
            expected.append((example.line, " ".join(values)))
        for name in HOST.findall(body):
            calls.append(f"  {name}();")
            expected += [(example.line, text.strip()) for text in PRINTED.findall(body)]
    parts = [*dict.fromkeys(includes), RESULTS if any("new_result" in call for call in calls) else "", *bodies]
    return "\n".join([*parts, "int main() {", *calls, "}", ""]), expected


def findings(name, examples, folder, compiler, libraries=()):
    text, expected = source(examples)
    file, program = folder / name, folder / name.replace(".", "_")
    file.write_text(text)
    result = subprocess.run([*compiler, file, "-o", program, *libraries], capture_output=True, text=True,
                            timeout=TIME_LIMIT_S, check=False)
    if result.returncode != 0:
        return [f"{name}: {result.stdout}{result.stderr}"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COHORT_")}
    environment["COHORT_DEVICES"] = "2"  # for launches over several devices
    result = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=TIME_LIMIT_S,
                            check=False)
    printed = result.stdout.splitlines()
    found = [f"line {line}: expected '{wanted}', but got '{got}'"
             for (line, wanted), got in zip(expected, printed) if wanted != got]
    if result.returncode != 0 or result.stderr or len(printed) != len(expected):
        found.append(f"{name}: status {result.returncode}, {len(printed)} of {len(expected)} lines: {result.stderr}")
    return found


def main():
    page, least, folder = pathlib.Path(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[5])
    root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[3:5])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    examples = [block for block in blocks(page.read_text()) if block.language == "cpp"]
    found = [f"{len(examples)} examples; there must be {least}"] if len(examples) < least else []
    cuda = [example for example in examples if CUDA.search(example.body)]
    plain = [example for example in examples if example not in cuda]
    if cuda:
        found += findings("cuda.cu", cuda, folder, [build / "bin/cohortcc", "-O1"])
    if plain:
        found += findings("plain.cpp", plain, folder, ["g++", "-std=c++17", "-I", root / "include"],
                          ["-L", build / "lib", "-lcohort_cpu", "-pthread"])
    print("\n".join(f"{page.name}: {finding}" for finding in found) or f"{page.name}: {len(examples)} examples")
    return 1 if found else 0


sys.exit(main())
