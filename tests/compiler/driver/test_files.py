# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files of cohortcc: outputs that are inputs, the standard input, full disks, and what a killed cohortcc leaves
behind."""

import os
import pathlib
import signal
import subprocess
import time

import workplace

LIMIT = 60  # seconds for commands that take almost none

PROGRAM = """\
#include <cstdio>
#include "value.h"
__global__ void k(int* p) { *p = VALUE; }
int main() {
  int* p;
  cudaMallocManaged(&p, sizeof *p);
  k<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("%d\\n", *p);
}
"""


# A library that holds cohortcc between the creation of a lock file and the lock on it, until the file "go" exists.
LATE_LOCK = """\
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>
extern "C" int flock(int file, int operation) noexcept {
  static bool is_first = true;
  if (is_first) {
    symlink("held", "held");
    while (access("go", F_OK) != 0) usleep(1000);
  }
  is_first = false;
  return static_cast<int>(syscall(SYS_flock, file, operation));
}
"""


def is_alive(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(condition):
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("the condition was not met in time")
        time.sleep(0.01)


class Files(workplace.WorkplaceTest):
    def setUp(self):
        super().setUp()
        self.place.write("program.cu", PROGRAM)
        self.place.write("value.h", "#define VALUE 41\n")

    def from_input(self, text, *arguments):
        return subprocess.run([self.place.cohortcc, *arguments], cwd=self.place.folder, env=self.place.environment, input=text,
                              capture_output=True, text=True, timeout=workplace.TIMEOUT, check=False)

    def test_an_output_is_no_input(self):
        folder = self.place.folder
        self.place.write("host.cpp", "int f() { return 1; }\n")
        (folder / "symbolic.o").symlink_to("program.cu")
        (folder / "hard.o").hardlink_to(folder / "program.cu")
        (folder / "other").symlink_to(".")
        outputs = ("program.cu", "./program.cu", "symbolic.o", "hard.o", "other/program.cu")
        cases = [([*options, "program.cu", "-o", output], output) for output in outputs
                 for options in (["-c"], ["-E"], ["-M"], ["-fatbin"], ["-ptx"], ["-lib"], ["-dlink"], ["host.cpp"])]
        cases += [(["-c", "program.cu", "-o", "program.o", "-MD", "-MF", "hard.o"], "hard.o"),
                  (["program.cu", "-Xcompiler", "-Wall", "host.cpp", "-o", "hard.o"], "hard.o")]
        for arguments, output in cases:
            with self.subTest(arguments):
                result = self.place.compile(*arguments)
                self.assertEqual((result.returncode, result.stderr),
                                 (1, f"cohortcc: error: the output '{output}' would overwrite the input 'program.cu'\n"))
                self.assertEqual((folder / "program.cu").read_text(), PROGRAM)
        self.assertEqual(self.place.compile("-x", "cu", "-c", "/dev/null", "-o", "/dev/null").returncode, 0)

    def test_standard_input(self):
        for arguments in (["-x", "cu", "-", "-o", "program"], ["-o", "program", "-", "-x", "cu"]):
            self.assertEqual(self.from_input(PROGRAM, *arguments).returncode, 0)
            self.assertEqual(self.place.run(["./program"]).stdout, "41\n")
        self.assertEqual(self.from_input(PROGRAM, "-x", "cu", "-c", "-").stderr, "")
        self.assertTrue((self.place.folder / "stdin.o").exists())
        self.assertIn("*p = 41;", self.from_input(PROGRAM, "-x", "cu", "-E", "-").stdout)
        self.assertEqual(self.from_input('#include "value.h"\nint main() { return VALUE; }', "-x", "c++", "-", "-o", "plain").stderr, "")
        self.assertEqual(self.place.run(["./plain"]).returncode, 41)
        self.assertEqual(self.from_input("", "-x", "cu", "-c", "-").returncode, 0)
        objects = [(self.from_input(PROGRAM, "-x", "cu", "-c", "-"), (self.place.folder / "stdin.o").read_bytes())[1] for _ in range(2)]
        self.assertEqual(*objects)
        self.assertEqual(self.place.left_over(), [])

    def test_messages_about_the_standard_input(self):
        wrong = PROGRAM.replace("VALUE", "NO_VALUE")
        self.assertIn(f"<stdin>:{workplace.line_of('NO_VALUE', wrong)}:", self.from_input(wrong, "-x", "cu", "-c", "-").stderr)
        for arguments, sentence in ((["-c", "-"], "the language of the standard input is unknown; pass -x cu"),
                                    (["-x", "cu", "-M", "-"], "-M, -MD and their like list a source by its name; "
                                                              "the standard input has none"),
                                    (["-x", "cu", "-c", "-", "-", "-odir", "."], "the standard input can be read once")):
            result = self.from_input(PROGRAM, *arguments)
            self.assertEqual((result.returncode, result.stderr), (1, f"cohortcc: error: {sentence}\n"))

    def test_full_disks(self):
        self.place.write("host.cpp", "int f() { return 1; }\n")
        with open("/dev/full", "wb") as full:
            for options in (["-E"], ["-M"]):
                result = subprocess.run([self.place.cohortcc, *options, "program.cu"], cwd=self.place.folder, stdout=full,
                                        env=self.place.environment, stderr=subprocess.PIPE, text=True, timeout=workplace.TIMEOUT,
                                        check=False)
                self.assertEqual((result.returncode, result.stderr),
                                 (1, "cohortcc: error: cannot write to the standard output: No space left on device\n"))
        for arguments in (["-c", "host.cpp"], ["-E", "program.cu"], ["-E", "host.cpp"]):
            result = self.place.compile(*arguments, "-o", "/dev/full")
            self.assertEqual((result.returncode, result.stderr),
                             (1, "cohortcc: error: cannot write '/dev/full': No space left on device\n"))
        for arguments in (["-c", "program.cu"], ["program.cu"]):
            result = self.place.compile(*arguments, "-o", "/dev/full")
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("No space left on device", result.stderr)
            self.assertNotIn("Stack dump", result.stderr)

    def start(self, *arguments):
        return subprocess.Popen([self.place.cohortcc, *arguments], cwd=self.place.folder, env=self.place.environment,
                                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    # A pass that reads the pipe would wait for ever, so it must end with the killed driver.
    def test_passes_end_with_a_killed_driver(self):
        (self.place.folder / "value.h").unlink()
        os.mkfifo(self.place.folder / "value.h")
        driver = self.start("-c", "program.cu")
        children = pathlib.Path(f"/proc/{driver.pid}/task/{driver.pid}/children")
        wait_until(lambda: len(children.read_text().split()) == 2)
        passes = children.read_text().split()
        driver.send_signal(signal.SIGKILL)
        driver.communicate()
        wait_until(lambda: not any(is_alive(process) for process in passes))
        self.assertEqual(len(self.place.left_over()), 1)

    def test_the_folders_of_killed_drivers(self):
        others = self.place.temporary / "cohortcc-source"  # not a folder of cohortcc's
        others.mkdir(mode=0o700)
        (others / "file").write_text("")
        for _ in range(3):
            killed = self.start("-x", "cu", "-c", "-")
            wait_until(lambda: len(self.place.left_over()) == 2)
            killed.kill()
            killed.communicate()
        running = self.start("-x", "cu", "-c", "-", "-o", "running.o")
        wait_until(lambda: list(self.place.temporary.glob("*/stdin.cu")))
        self.assertEqual(len(self.place.left_over()), 2)
        # The folder of a running cohortcc is not removed.
        self.assertEqual(self.place.compile("-c", "program.cu").returncode, 0)
        self.assertEqual(len(self.place.left_over()), 2)
        running.communicate(PROGRAM.encode())
        self.assertEqual(running.returncode, 0)
        self.assertTrue((self.place.folder / "running.o").exists())
        self.assertEqual(self.place.left_over(), ["cohortcc-source"])
        self.assertTrue((others / "file").exists())

    def test_a_folder_that_is_removed_before_it_is_locked(self):
        source = self.place.write("late_lock.cpp", LATE_LOCK)
        made = self.place.run(["c++", "-shared", "-fPIC", source, "-o", "late_lock.so"], CPATH="", CPLUS_INCLUDE_PATH="")
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        late = subprocess.Popen([self.place.cohortcc, "-c", "program.cu"], cwd=self.place.folder, stderr=subprocess.PIPE, text=True,
                                env=dict(self.place.environment, LD_PRELOAD=str(self.place.folder / "late_lock.so")))
        wait_until((self.place.folder / "held").is_symlink)
        self.assertEqual(len(self.place.left_over()), 1)
        self.assertEqual(self.place.compile("-c", "program.cu", "-o", "other.o").returncode, 0)
        self.assertEqual(self.place.left_over(), [])
        self.place.write("go", "")
        self.assertEqual(late.communicate(timeout=LIMIT)[1], "")
        self.assertEqual(late.returncode, 0)
        self.assertEqual(self.place.left_over(), [])


if __name__ == "__main__":
    workplace.main()
