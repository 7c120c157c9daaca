# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of inline PTX: its page is current, and cohortcc and ptxas agree with its rows and refusals."""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import workplace

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TYPES = {"p": "pred", "c": "b8", "h": "b16", "r": "b32", "f": "f32", "l": "b64", "g": "f64", "q": "b128"}
# `ptx_table registers` names registers by their types: b32_5.
DECLARED = "pred b8 u8 s8 b16 u16 s16 f16 b32 u32 s32 f32 b64 u64 s64 f64 b128".split()
REGISTERS = " ".join(
    [f".reg .{name} {letter}<200>;" for letter, name in TYPES.items()]
    + [f".reg .{name} {name}_<200>;" for name in DECLARED]
)
HEAD = f".version 9.0\n.target %s\n.address_size 64\n.visible .entry k() {{\n{REGISTERS}\nAGAIN:\n"
ERRORS_OF_A_PASS = 15  # errors in a pass; clang stops after 20

cohortcc = None
table = None


def printed(what):
    return subprocess.run([table, what], check=True, capture_output=True, text=True).stdout


def refusals():
    return [line.split("\t") for line in printed("refused").splitlines()]


def with_registers():
    """Statements with the register types of one operand changed, and whether the table takes them."""
    lines = [line.split("\t") for line in printed("registers").splitlines()]
    return {statement: verdict == "taken" for statement, verdict in lines}


def assembly(statement):
    """An asm statement that declares the registers of `statement`."""
    if statement.split(".")[0] in ("addc", "subc", "madc"):
        statement = "add.cc.u32 r50, r51, r52; " + statement
    declared = ""
    for letter, name in TYPES.items():
        names = sorted(set(re.findall(rf"(?<![\w.:]){letter}\d+\b", statement)))
        declared += f".reg .{name} {', '.join(names)}; " if names else ""
    for name in DECLARED:
        names = sorted(set(re.findall(rf"\b{name}_\d+", statement)))
        declared += f".reg .{name} {', '.join(names)}; " if names else ""
    label = "AGAIN: " if "AGAIN" in statement else ""
    return f'  asm volatile("{{ {declared}{label}{statement} }}");\n'


def kernel(statements):
    return "__global__ void k() {\n" + "".join(map(assembly, statements)) + "}\n"


def ptxas_errors(statements, folder):
    """The numbers of the statements that ptxas refuses. Only the target sm_90a has products of warpgroups."""
    numbers = range(len(statements))
    of_warpgroups = [i for i in numbers if statements[i].startswith("wgmma")]
    others = [i for i in numbers if not statements[i].startswith("wgmma")]
    return errors_for("sm_90a", statements, of_warpgroups, folder) | errors_for("sm_100a", statements, others, folder)


def errors_for(target, statements, left, folder):
    """The numbers among `left` that ptxas refuses. A syntax error hides later errors."""
    refused = set()
    file = pathlib.Path(folder) / "all.ptx"
    while True:
        file.write_text(HEAD % target + "\n".join(statements[i] for i in left) + "\nret;\n}\n")
        result = subprocess.run(
            ["ptxas", f"-arch={target}", "-O0", file, "-o", "/dev/null"], capture_output=True, text=True, check=False
        )
        if result.returncode == 0:
            return refused
        lines = re.findall(r"line (\d+); (?:error|fatal)", result.stdout + result.stderr)
        if not lines:  # errors about 32-bit addresses come last and are fatal
            lines = re.findall(r"32-bit address on line '(\d+)'", result.stdout + result.stderr)
        found = {left[int(line) - HEAD.count("\n") - 1] for line in lines}
        if not found:
            raise AssertionError(result.stdout + result.stderr)
        refused |= found
        left = [i for i in left if i not in found]


class Table(unittest.TestCase):
    def test_page_is_current(self):
        page = (ROOT / "docs" / "ptx.md").read_text()
        self.assertEqual(page, printed("page"), "docs/ptx.md shows another table: tools/ptx_page.sh")

    def test_each_row_is_code(self):
        statements = printed("accepted").splitlines()
        self.assertGreater(len(statements), 5000)
        with workplace.workplace(cohortcc) as place:
            (place.folder / "all.cu").write_text(kernel(statements))
            result = place.compile("-O0", "-arch=sm_90a", "-c", "all.cu", "-o", "all.o")
            self.assertEqual(result.returncode, 0, result.stderr[-3000:])

    def test_refusals_have_the_reason_of_the_table(self):
        every = refusals()
        self.assertGreater(len(every), 5000)
        chosen = every[:: len(every) // ERRORS_OF_A_PASS][:ERRORS_OF_A_PASS]
        with workplace.workplace(cohortcc) as place:
            (place.folder / "all.cu").write_text(kernel([statement for statement, _ in chosen]))
            result = place.compile("-O0", "-arch=sm_90a", "-c", "all.cu", "-o", "all.o")
            self.assertNotEqual(result.returncode, 0)
            for line, (statement, reason) in enumerate(chosen, 2):
                text = f"cannot run the inline PTX '{statement[:-1]}' on a CPU: {reason}; docs/ptx.md"
                found = [each for each in result.stderr.splitlines() if text in each and f"all.cu:{line}:" in each]
                self.assertEqual(len(found), 1, f"{text}\n{result.stderr}")


    def test_takes_registers_of_other_types(self):
        taken = [statement for statement, is_taken in with_registers().items() if is_taken][::20]
        self.assertGreater(len(taken), 500)
        with workplace.workplace(cohortcc) as place:
            (place.folder / "all.cu").write_text(kernel(taken))
            result = place.compile("-O0", "-arch=sm_90a", "-c", "all.cu", "-o", "all.o")
            self.assertEqual(result.returncode, 0, result.stderr[-3000:])

    def test_refuses_registers_of_other_types(self):
        refused = [statement for statement, is_taken in with_registers().items() if not is_taken]
        chosen = refused[:: len(refused) // ERRORS_OF_A_PASS][:ERRORS_OF_A_PASS]
        with workplace.workplace(cohortcc) as place:
            (place.folder / "all.cu").write_text(kernel(chosen))
            result = place.compile("-O0", "-arch=sm_90a", "-c", "all.cu", "-o", "all.o")
            self.assertNotEqual(result.returncode, 0)
            for line, statement in enumerate(chosen, 2):
                text = rf"all\.cu:{line}:.*{re.escape(statement[:-1])}' on a CPU: operand . is \.\w+, and '.*' is a register"
                self.assertRegex(result.stderr, text)


class Ptxas(unittest.TestCase):
    def setUp(self):
        if not shutil.which("ptxas"):
            self.skipTest("no ptxas")

    def test_takes_each_row(self):
        statements = printed("accepted").splitlines()
        with workplace.workplace(cohortcc) as place:
            refused = ptxas_errors(statements, place.folder)
        self.assertEqual([statements[i] for i in sorted(refused)], [])

    def test_refuses_what_the_table_refuses(self):
        """ptxas refuses what the table refuses, unless not_supported.txt lists it as valid PTX that cohortcc lacks."""
        statements = [statement for statement, _ in refusals()]
        with workplace.workplace(cohortcc) as place:
            refused = ptxas_errors(statements, place.folder)
        valid = [statement for i, statement in enumerate(statements) if i not in refused]
        listed = (HERE / "not_supported.txt").read_text().splitlines()
        self.assertEqual(sorted(valid), sorted(line for line in listed if not line.startswith("#")))


    def test_takes_the_same_registers(self):
        """ptxas accepts the registers that the table accepts, unless register_differences.txt lists the statement."""
        every = with_registers()
        statements = list(every)
        with workplace.workplace(cohortcc) as place:
            refused = ptxas_errors(statements, place.folder)
        different = [each for i, each in enumerate(statements) if every[each] == (i in refused)]
        listed = (HERE / "register_differences.txt").read_text().splitlines()
        self.assertEqual(sorted(different), sorted(line for line in listed if not line.startswith("#")))


if __name__ == "__main__":
    parser = workplace.parser()
    parser.add_argument("--table", required=True)
    arguments, rest = parser.parse_known_args()
    cohortcc, table = arguments.cohortcc, arguments.table
    if "Ptxas" in rest and not shutil.which("ptxas"):
        print("skipped: no ptxas")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + rest)
