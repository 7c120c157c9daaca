# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The magic %%cuda in a kernel of Jupyter: the notebook of examples/, wrong cells, limits of time, an interrupt."""

import os
import shutil
import subprocess
import sys

from test_modules import HERE, make_environment, read_options

SOURCE = HERE.parent.parent
PACKAGES = ("nbclient==0.11.0", "ipykernel==7.4.0")


def make_package(folder, prefix):
    """Makes the wheel's Python module over a build folder, which has the layout of an installation."""
    package = folder / "cohortcc"
    package.mkdir(parents=True)
    for path in (SOURCE / "tools" / "package" / "cohortcc").glob("*.py"):
        shutil.copy(path, package)
    for name in ("bin", "lib", "include", "cohort-toolkit"):
        (package / name).symlink_to(prefix / name)


def main():
    options = read_options()
    folder = options.folder.resolve()
    python = make_environment(folder / "environment", PACKAGES)
    make_package(folder / "modules", options.cohortcc.resolve().parent.parent)
    (folder / "tmp").mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COHORT_")}
    environment.update(PYTHONPATH=str(folder / "modules"), TMPDIR=str(folder / "tmp"), JUPYTER_PREFER_ENV_PATH="1",
                       PATH=f"{python.parent}:{os.environ['PATH']}", IPYTHONDIR=str(folder / "ipython"),
                       JUPYTER_RUNTIME_DIR=str(folder / "runtime"), JUPYTER_CONFIG_DIR=str(folder / "config"))
    status = subprocess.run([python, "-B", HERE / "notebook_cells.py", SOURCE / "examples" / "notebook" / "cuda_cells.ipynb"],
                            cwd=folder, env=environment, check=False).returncode
    left = sorted(path.name for path in (folder / "tmp").glob("cohort*"))
    if left:
        sys.exit(f"FAILED: the cells left files: {left}")
    sys.exit(status)


main()
