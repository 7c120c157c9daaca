# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the pieces of promises.txt, each of which must compile or fail as its heading demands:

  compile_promises.py PROMISES RESULTS.json WORK --cuda "COMPILER;FLAG;..." --plain "COMPILER;FLAG;..."

RESULTS.json has GoogleTest's form. With --any-error the texts of errors are not compared. To save time, all pieces that
must compile are first compiled as one source, each in a namespace of its own, and so are all that must fail; pieces
without a clear result are then compiled alone."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HEADERS = ["cooperative_groups.h", "cooperative_groups/memcpy_async.h", "cooperative_groups/reduce.h",
           "cooperative_groups/scan.h"]
NAMES = """namespace cg = cooperative_groups;
template <class A, class B> constexpr bool conformance_same = false;
template <class A> constexpr bool conformance_same<A, A> = true;
"""


class Piece:
    def __init__(self, heading, code):
        fields = [field.strip() for field in re.split(r"(?<!\|)\|(?!\|)", heading)]
        self.fails, self.numbers, name = fields[0] == "fails", fields[1], fields[2]
        if fields[0] not in ("passes", "fails") or (len(fields) == 4) != self.fails:
            raise SystemExit(f"not a heading: == {heading}")
        self.expected = [text.strip() for text in fields[3].split("||")] if self.fails else []
        listed = re.match(r"<([^>]*)>\s*", name)
        self.alone = bool(listed)
        self.headers = listed.group(1).split() if listed else HEADERS
        name = name[listed.end():] if listed else name
        self.plain = name.startswith("c++11 ")
        self.name = name.removeprefix("c++11 ")
        self.code = code

    def source(self, wrong):
        """Replaces WRONG(x) and RIGHT(x), whose x may hold parentheses, by x or nothing."""
        text, result, place = self.code, "", 0
        for match in re.finditer(r"\b(WRONG|RIGHT)\(", text):
            if match.start() < place:
                raise SystemExit(f"{self.name}: {match.group(1)} inside of another one")
            depth, end = 1, match.end()
            while depth:
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
            result += text[place:match.start()]
            if (match.group(1) == "WRONG") == wrong:
                result += text[match.end():end - 1]
            place = end
        result += text[place:]
        return re.sub(r"INCLUDE\((.*?)\)", r"\n#include \1\n", result)

    def is_expected(self, errors):
        return any(text in errors for text in self.expected)

    def file(self, wrong):
        return includes(self.headers) + ("" if self.alone else NAMES) + self.source(wrong)


def includes(headers):
    return "".join(f"#include <{header}>\n" for header in headers)


def together(pieces, wrong):
    """One source of all pieces that include all headers. An error in one of them is reported at piece_NUMBER:LINE."""
    parts = [f'#line 1 "piece_{number}"\nnamespace piece_{number} {{\n{piece.source(wrong)}\n}}\n'
             for number, piece in enumerate(pieces)]
    return includes(HEADERS) + NAMES + "".join(parts)


def errors_of_pieces(text):
    """{number: the compiler's errors and notes about that piece}"""
    found = {}
    for block in re.split(r"(?m)^(?=.*\berror: )", text):
        for number in set(re.findall(r"\bpiece_(\d+):\d", block)):
            found[int(number)] = found.get(int(number), "") + block
    return found


def read(path):
    pieces = []
    for part in re.split(r"^== ", path.read_text(), flags=re.M)[1:]:
        heading, _, code = part.partition("\n")
        pieces.append(Piece(heading, code))
    return pieces


class Compiler:
    def __init__(self, options, pieces):
        self.options = options
        common = [piece for piece in pieces if not piece.alone]
        self.known = common if common and self.errors("together", together(common, False), False) is None else []
        wrong = [piece for piece in common if piece.fails]
        found = errors_of_pieces(self.errors("together wrong", together(wrong, True), False) or "")
        self.refused = [piece for number, piece in enumerate(wrong) if piece.is_expected(found.get(number, ""))]

    def errors(self, name, text, plain):
        """None if the compiler accepts the text, otherwise its messages."""
        base = self.options.work / re.sub(r"\W+", "_", name)
        source = base.with_suffix(".cpp" if plain else ".cu")
        source.write_text(text)
        command = self.options.plain + ["-std=c++11"] if plain else self.options.cuda
        result = subprocess.run([*command, "-c", str(source), "-o", str(base) + ".o"], capture_output=True, text=True,
                                stdin=subprocess.DEVNULL)
        return None if result.returncode == 0 else result.stdout + result.stderr

    def problem(self, piece):
        """None, or the reason why the promise is broken."""
        right = None if piece in self.known else self.errors(piece.name + " right", piece.file(False), piece.plain)
        if right or not piece.fails:
            return right and f"the right use does not compile:\n{right}"
        if piece in self.refused and not self.options.any_error:
            return None
        errors = self.errors(piece.name, piece.file(True), piece.plain)
        if errors is None:
            return "the wrong use compiles"
        if not self.options.any_error and not piece.is_expected(errors):
            return f"the error does not say '{' or '.join(piece.expected)}', but:\n{errors}"
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("promises", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--cuda", required=True, type=lambda words: words.split(";"))
    parser.add_argument("--plain", required=True, type=lambda words: words.split(";"))
    parser.add_argument("--any-error", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.results.parent.mkdir(parents=True, exist_ok=True)

    if len({piece.name for piece in read(options.promises)}) != len(read(options.promises)):
        raise SystemExit("two pieces have one name")
    pieces = [piece for piece in read(options.promises) if options.only in piece.name]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = list(pool.map(Compiler(options, pieces).problem, pieces))
    cases = []
    for piece, problem in zip(pieces, problems):
        case = {"name": piece.name, "status": "RUN", "result": "COMPLETED", "conforms": piece.numbers}
        if problem:
            case["failures"] = [{"failure": problem}]
            print(f"--- {piece.name}: {problem}")
        cases.append(case)
    suite = {"name": "Promise", "tests": len(cases), "testsuite": cases}
    options.results.write_text(json.dumps({"name": "AllTests", "testsuites": [suite]}, indent=1))
    failed = sum(problem is not None for problem in problems)
    print(f"{len(pieces)} promises, {failed} broken")
    return 1 if failed or not pieces else 0


if __name__ == "__main__":
    sys.exit(main())
