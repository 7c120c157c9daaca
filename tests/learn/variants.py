# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One program of many kernels:  variants.py LEARN MISTAKES FOLDER KIND...

Writes FOLDER/variants.cu. Its first argument selects a variant of a puzzle, such as 07-reduce.hole: the hole as it is,
the solution, or the hole with the code of a tempting mistake. KIND is `hole`, `solution` or `mistakes`. The checks of
all variants lie in namespaces, behind the headers that they include."""

import pathlib
import re
import sys

SPDX = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
HOLE = re.compile(r"(?<=\n)( *// Your code begins:[^\n]*\n)(.*?)( *// Your code ends\.\n)", re.S)
INCLUDE = re.compile(r"^#include <.*?>\n", re.M)


def with_hole(kernel, code):
    """The kernel with `code` in its hole."""
    text, count = HOLE.subn(lambda match: match[1] + code + match[3], kernel)
    assert count == 1, f"the kernel has {count} holes"
    return text


def variants_of(folder, mistakes, kinds):
    """(name, text of the kernel) of each variant of a puzzle."""
    kernel = (folder / "kernel.cu").read_text()
    if "hole" in kinds:
        yield "hole", kernel
    if "solution" in kinds:
        yield "solution", (folder / "solution" / "kernel.cu").read_text()
    if "mistakes" in kinds:
        for path in sorted((mistakes / folder.name).glob("*.cu")):
            yield path.stem, with_hole(kernel, path.read_text())


def main():
    learn, mistakes, out = (pathlib.Path(path) for path in sys.argv[1:4])
    headers, body, table = {"#include <cstring>\n"}, "", ""
    for folder in sorted(learn.glob("[0-9][0-9]-*")):
        check = (folder / "check.cu").read_text()
        for name, kernel in variants_of(folder, mistakes, sys.argv[4:]):
            target = out / "variants" / f"{folder.name}.{name}"
            target.mkdir(parents=True, exist_ok=True)
            (target / "kernel.cu").write_text(kernel)
            (target / "check.cu").write_text(check)
            headers |= set(INCLUDE.findall(kernel + check))
            space = re.sub(r"\W", "_", f"p{folder.name}_{name}")
            body += f'namespace {space} {{\n#include "variants/{folder.name}.{name}/check.cu"\n}}\n'
            table += f'  if (std::strcmp(argv[1], "{folder.name}.{name}") == 0) return {space}::main(argc - 1, argv + 1);\n'
    out.mkdir(parents=True, exist_ok=True)
    (out / "variants.cu").write_text(
        f'{SPDX}{"".join(sorted(headers))}#include "puzzle.hpp"\n{body}int main(int argc, char** argv) {{\n'
        f"  if (argc < 2) return 3;\n{table}  return 3;\n}}\n")


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
