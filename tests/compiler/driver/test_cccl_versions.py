# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that use CUB, Thrust and libcu++ of each CCCL from 3.1 to 3.5, which the test takes from PyPI."""

import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

import workplace

cohortcc = None
PACKAGES = {"3.1": "13.1.115", "3.2": "13.2.86", "3.5": "13.3.5.0.6"}
PROGRAMS = {"cub_block.cu": "-O3", "cub_device.cu": "-O1", "thrust.cu": "-O1", "async_copies.cu": "-O1",
            "mbarriers.cu": "-O1"}


def fetch(package, folder):
    """The folder of the headers, or None."""
    words = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, f"nvidia-cuda-cccl=={package}"]
    if subprocess.run(words, capture_output=True, check=False).returncode != 0:
        return None
    for wheel in pathlib.Path(folder).glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(folder)
    return next(pathlib.Path(folder).glob("nvidia/cu*/include/cccl"), None)


class Versions(unittest.TestCase):
    def test_programs(self):
        for version, package in PACKAGES.items():
            with tempfile.TemporaryDirectory() as folder:
                headers = fetch(package, folder)
                if headers is None:
                    print(f"skipped: PyPI gives no nvidia-cuda-cccl=={package}")
                    sys.exit(77)
                for name, level in PROGRAMS.items():
                    with self.subTest(version=version, program=name), workplace.workplace(cohortcc) as place:
                        built = place.compile(level, "-std=c++17", "-w", f"--cccl={headers}",
                                              workplace.HERE / "cccl" / name, "-o", "program")
                        self.assertEqual(built.returncode, 0, built.stderr[:2000])
                        ran = place.run([place.folder / "program"])
                        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "passed\n", ""))


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)
