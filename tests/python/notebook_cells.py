# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs cells in kernels of Jupyter and compares their outputs:  notebook_cells.py NOTEBOOK"""

import os
import pathlib
import signal
import sys
import threading
import time
import unittest

import nbformat
from nbclient import NotebookClient

NOTEBOOK = pathlib.Path(sys.argv.pop(1))
ENDLESS = "int main() { for (volatile int i = 0;; i = 1) {} }"


def text_of(cell, stream):
    return "".join(output["text"] for output in cell.outputs if output.output_type == "stream" and output.name == stream)


def pages_of(cell):
    return [output["data"]["text/html"] for output in cell.outputs if output.output_type == "display_data"]


def error_of(cell):
    errors = [output for output in cell.outputs if output.output_type == "error"]
    return errors[0] if errors else None


def programs_named(name):
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().split(b"\0")[0].endswith(name.encode()) and b"cohort-cell-" in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            pass
    return found


class Cells(unittest.TestCase):
    def run_cells(self, *sources, during=None):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in ("%load_ext cohortcc", *sources)])
        client = NotebookClient(notebook, timeout=120, allow_errors=True, kernel_name="python3")
        with client.setup_kernel():
            for i, cell in enumerate(notebook.cells):
                if during and i == len(sources):
                    thread = threading.Thread(target=during)
                    thread.start()
                client.execute_cell(cell, i)
            if during:
                thread.join()
        return notebook.cells[1:]

    def wait_for_program(self):
        for _ in range(1200):
            if found := programs_named("/cell"):
                return found[0]
            time.sleep(0.1)
        raise AssertionError("the cell's program did not start")

    def test_the_example(self):
        notebook = nbformat.read(NOTEBOOK, as_version=4)
        nbformat.validate(notebook)
        self.assertEqual([cell for cell in notebook.cells if cell.get("outputs")], [])  # the file has no outputs
        NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        by_start = {cell.source.split("\n")[0].split(" -")[-1]: cell for cell in cells if cell.source.startswith("%%cuda")}
        self.assertEqual(text_of(by_start["-args {n}"], "stdout"), f"{sum(range(1000))}\n")
        race = by_start["-check"]
        self.assertRegex(text_of(race, "stderr"), r"race in kernel shift <<<\(1, 1, 1\), \(64, 1, 1\)>>>")
        for line in (3, 4):
            self.assertIn(f"at cell.cu:{line} (shift", text_of(race, "stderr"))
        (page,) = pages_of(race)
        self.assertTrue(page.startswith('<div><iframe sandbox="allow-scripts"'))
        self.assertIn("another thread may not have read this one", page)  # the report's page quotes the source line
        self.assertEqual(len(pages_of(by_start["-out devices"])), 1)
        self.assertEqual(text_of(by_start["-out devices"], "stdout"), "")
        self.assertEqual(text_of(cells[-3], "stdout"), "devices: 2\n")
        self.assertEqual(text_of(cells[-1], "stdout"), f"{[float(i * i) for i in range(5)]}\n")

    def test_wrong_cells(self):
        wrong, fails, killed, unknown, quoted = self.run_cells(
            "%%cuda\n#include <cstdio>\n\nint main() { return undeclared; }",
            '%%cuda\n#include <cstdio>\nint main() { std::puts("before"); return 3; }',
            "%%cuda\nint main() { __builtin_trap(); }",
            "%%cuda --env COHORT_DEVICES\nint main() {}",
            "%%cuda --args 'a\nint main() {}")
        self.assertIn("cell.cu:4:21: error: use of undeclared identifier 'undeclared'", text_of(wrong, "stderr"))
        self.assertEqual(error_of(wrong).traceback, ["%%cuda: the cell was not compiled"])
        self.assertEqual(text_of(fails, "stdout"), "before\n")
        self.assertEqual(error_of(fails).traceback, ["%%cuda: the program ended with the exit status 3"])
        self.assertEqual(error_of(killed).traceback, ["%%cuda: the program was ended by SIGILL"])
        self.assertEqual(text_of(unknown, "stderr"), "UsageError: %%cuda: --env needs NAME=VALUE, not 'COHORT_DEVICES'\n")
        self.assertEqual(text_of(quoted, "stderr"), "UsageError: %%cuda: No closing quotation\n")

    def test_streams(self):
        pathlib.Path("numbers.txt").write_text("20 22")
        pathlib.Path("twice.cuh").write_text("__device__ int twice(int x) { return 2 * x; }\n")
        read, included = self.run_cells(
            '%%cuda --stdin numbers.txt --save saved.cu\n#include <cstdio>\nint main() { int a, b; std::scanf("%d %d", &a, &b); '
            'std::printf("%d", a + b); }',
            '%%cuda\n#include <cstdio>\n#include "twice.cuh"\n__managed__ int y;\n__global__ void k() { y = twice(21); }\n'
            'int main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); std::printf("%d %d", y, std::getchar()); }')
        self.assertEqual(text_of(read, "stdout"), "42")
        self.assertTrue(pathlib.Path("saved.cu").read_text().startswith("#include <cstdio>\nint main()"))
        self.assertEqual(text_of(included, "stdout"), "42 -1")  # the program reads an empty input

    def test_the_time_limit(self):
        (cell,) = self.run_cells(f"%%cuda --timeout 1\n{ENDLESS}")
        self.assertEqual(error_of(cell).traceback, ["%%cuda: the program was ended after 1 seconds"])
        self.assertEqual(programs_named("/cell"), [])

    def test_an_interrupt(self):
        def interrupt():
            program = self.wait_for_program()
            kernel = int(pathlib.Path("/proc", program, "stat").read_text().rpartition(")")[2].split()[1])
            os.kill(kernel, signal.SIGINT)  # interrupts the kernel as Jupyter does

        (cell,) = self.run_cells(f"%%cuda\n{ENDLESS}", during=interrupt)
        self.assertEqual(error_of(cell).ename, "KeyboardInterrupt")
        self.assertEqual(programs_named("/cell"), [])


if __name__ == "__main__":
    unittest.main()
