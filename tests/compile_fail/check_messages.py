# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles each source twice:  check_messages.py COMPILER --include FOLDER... -- SOURCE...

With WRONG=0 it must compile, with WRONG=1 it must not. The error has the text of the line `// expect: TEXT`, or one of
several texts separated by ||. Most of a source's time is the library's headers: first all sources compile as one, each in
a namespace of its own. A source whose error is not found there, such as one that the compiler reports once for several
sources, is compiled alone."""

import argparse
import pathlib
import re
import subprocess
import sys

FLAGS = ("-std=c++17", "-fsyntax-only", "-x", "c++")
CONTEXT = re.compile(r"In file included|\s+from |.*: (In |At global scope|.*required from)")  # lines of g++ before an error


class Source:
    def __init__(self, path):
        self.name, self.text = path.name, path.read_text()
        lines = self.text.splitlines()
        expected = [line.removeprefix("// expect: ") for line in lines if line.startswith("// expect: ")]
        if len(expected) != 1:
            raise SystemExit(f"{path}: {len(expected)} lines `// expect: TEXT`")
        self.expected = expected[0].split(" || ")
        self.includes = [line for line in lines if line.startswith("#include")]
        self.lines = ["" if line.startswith("#include") else line for line in lines]

    def alone(self):
        return f'#line 1 "{self.name}"\n' + self.text

    def has_expected(self, errors):
        return any(text in errors for text in self.expected)


def together(sources):
    parts = [f'namespace source_{number} {{\n#line 1 "{source.name}"\n' + "\n".join(source.lines) + "\n}\n"
             for number, source in enumerate(sources)]
    return "\n".join(sorted({line for source in sources for line in source.includes})) + "\n" + "".join(parts)


def errors_by_source(text):
    """{name of a source: the errors that name it}; an error has its context before it and its notes after it."""
    blocks, block, has_error = [], [], False
    for line in text.splitlines():
        is_error = re.search(r"\berror: ", line) is not None
        if has_error and (is_error or CONTEXT.match(line)):
            blocks.append("\n".join(block))
            block, has_error = [], False
        block.append(line)
        has_error = has_error or is_error
    found = {}
    for each in [*blocks, "\n".join(block)]:
        for name in set(re.findall(r"(\w+\.cpp):\d", each)):
            found[name] = found.get(name, "") + each + "\n"
    return found


class Compiler:
    def __init__(self, command, includes):
        self.command = [command, *FLAGS, *(f"-I{folder}" for folder in includes)]

    def errors(self, text, wrong):
        """None if the compiler accepts the text, otherwise its messages."""
        result = subprocess.run([*self.command, f"-DWRONG={wrong}", "-"], input=text, capture_output=True, text=True, check=False)
        return result.stderr if result.returncode else None

    def problem(self, source, is_right, found):
        errors = None if is_right else self.errors(source.alone(), 0)
        if errors is not None:
            return f"the right use does not compile:\n{errors}"
        if source.has_expected(found):
            return None
        errors = self.errors(source.alone(), 1)
        if errors is None:
            return "the wrong use compiles"
        return None if source.has_expected(errors) else f"the error does not say: {' || '.join(source.expected)}\nIt says:\n{errors}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("compiler")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("sources", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    sources = [Source(path) for path in options.sources]
    compiler = Compiler(options.compiler, options.include)
    text = together(sources)
    is_right = compiler.errors(text, 0) is None
    found = errors_by_source(compiler.errors(text, 1) or "")
    alone, failed = 0, 0
    for source in sources:
        alone += not source.has_expected(found.get(source.name, ""))
        problem = compiler.problem(source, is_right, found.get(source.name, ""))
        if problem:
            failed += 1
            print(f"--- {source.name}: {problem}")
    print(f"{len(sources)} sources, {alone} of them alone, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
