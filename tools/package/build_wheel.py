# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the wheel `cohortcc` from a build folder:  build_wheel.py BUILD OUTPUT

The wheel holds an installation of Cohort and the clang that its plugin was built for, so that it needs only g++ of the
system. It works with every Python 3 and every Linux whose glibc is at least the build machine's, as its name says."""

import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import carried

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
LLVM = pathlib.Path("/usr/lib/llvm-19")
LIMIT = 100 * 1000 * 1000  # bytes that package indexes accept
RUNTIMES = re.compile(r"^(clang_rt|libclang_rt\.(builtins|profile|asan|asan_cxx|asan_static|asan-preinit|ubsan_standalone"
                      r"|ubsan_standalone_cxx)-)")

METADATA = """\
Metadata-Version: 2.1
Name: cohortcc
Version: {version}
Summary: CUDA programs on the CPU: a compiler for .cu files, with its clang
License: Apache-2.0 WITH LLVM-exception
Keywords: CUDA,GPU,compiler,cooperative groups
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C++
Classifier: Topic :: Software Development :: Compilers
Requires-Python: >=3.8
Description-Content-Type: text/markdown

"""

WHEEL = "Wheel-Version: 1.0\nGenerator: cohort\nRoot-Is-Purelib: false\nTag: {tag}\n"

ENTRY_POINTS = """\
[console_scripts]
cohort = cohortcc:cohort
cohort-info = cohortcc:cohort_info
cohort-view = cohortcc:cohort_view
cohortcc = cohortcc:cohortcc

[cmake.prefix]
cohort = cohortcc
"""


def replace_links(folder):
    """Replaces links by copies of their files, because wheels have no links. Of the runtime there is one file: a process that
    loads two copies has two runtimes. In the toolkit folder, a filter that leads to this file takes its place."""
    libraries = folder / "cohort-toolkit" / "lib64"
    for name in ("libcudart.so*", "libcohort_runtime.so*"):
        for path in libraries.glob(name):
            path.unlink()
    shutil.copy2(folder / "lib" / "cohort" / "libcudart_by_path.so", libraries / "libcudart.so")
    subprocess.run(["patchelf", "--set-rpath", "$ORIGIN/../../lib", libraries / "libcudart.so"], check=True)
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            target = path.resolve(strict=True)
            path.unlink()
            shutil.copy2(target, path)
    for path in folder.glob("lib/libcohort_runtime.so.*.*.*"):
        path.unlink()


def add_clang(root, carrier):
    """Copies clang, its headers and runtimes to the place in which cohortcc finds them."""
    place = root / "lib" / "cohort" / "llvm"
    carrier.copy(LLVM / "bin" / "clang", place / "bin" / "clang++")
    for name, path in carried.libraries(LLVM / "bin" / "clang").items():
        carrier.copy(path, place / "lib" / name)
        # clang and libLLVM search ../lib themselves; the libraries that they load have no folder of their own.
        if not name.startswith(("libLLVM", "libclang-cpp")):
            subprocess.run(["patchelf", "--set-rpath", "$ORIGIN", place / "lib" / name], check=True)
    resources = pathlib.Path(carried.output(LLVM / "bin" / "clang", "-print-resource-dir").strip()).resolve()
    target = place / "lib" / "clang" / "19"
    carrier.copy_tree(resources / "include", target / "include")
    machine = platform.machine()
    carrier.copy_tree(resources / "lib" / "linux", target / "lib" / "linux",
                      lambda path: RUNTIMES.match(path.name) and machine in path.name)
    # Programs load OpenMP's runtime. It lies beside libsleef.so.3, in the folder that cohortcc gives them as run path.
    carrier.copy(LLVM / "lib" / "libomp.so", root / "lib" / "cohort" / "libomp.so.5")
    (place / "lib" / "libomp.so").write_text("INPUT ( ../../libomp.so.5 )\n")


def add_sleef(root, carrier):
    libraries = re.findall(r"libsleef\.so\.3 .*=> (/\S+)", carried.output("/sbin/ldconfig", "-p"))
    if not libraries:
        sys.exit("build_wheel: libsleef.so.3 is not installed (libsleef3)")
    carrier.copy(libraries[0], root / "lib" / "cohort" / "libsleef.so.3")


def write_metadata(folder, version, tag, carrier, licenses):
    folder.mkdir()
    (folder / "METADATA").write_text(METADATA.format(version=version) + (HERE / "pypi.md").read_text())
    (folder / "WHEEL").write_text(WHEEL.format(tag=tag))
    (folder / "entry_points.txt").write_text(ENTRY_POINTS)
    carrier.write_licenses(folder / "licenses")
    shutil.copy(SOURCE / "LICENSE", folder / "licenses" / "LICENSE")
    for path in licenses.glob("*.txt"):  # licenses of foreign code in Cohort's libraries
        shutil.copy(path, folder / "licenses")


def build(folder, output):
    version = re.search(r"^## (\d+\.\d+\.\d+)", (SOURCE / "CHANGES.md").read_text(), re.M).group(1)
    with tempfile.TemporaryDirectory(prefix="cohort-wheel-") as temporary:
        tree = pathlib.Path(temporary) / "tree"
        root = tree / "cohortcc"
        subprocess.run(["cmake", "--install", folder, "--prefix", root, "--strip"], check=True, stdout=subprocess.DEVNULL)
        replace_links(root)
        shutil.rmtree(root / "share")  # LICENSE and manual pages, which a wheel has elsewhere or not at all
        for path in HERE.glob("cohortcc/*.py"):
            shutil.copy(path, root)
        carrier = carried.Carrier()
        add_clang(root, carrier)
        add_sleef(root, carrier)
        glibc = carried.newest_glibc(root)
        tag = f"py3-none-manylinux_{glibc[0]}_{glibc[1]}_{platform.machine()}"
        write_metadata(tree / f"cohortcc-{version}.dist-info", version, tag, carrier,
                       pathlib.Path(folder) / "licenses")
        output.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "wheel", "pack", tree, "--dest-dir", output], check=True,
                       stdout=subprocess.DEVNULL)
    wheel = output / f"cohortcc-{version}-{tag}.whl"
    size = wheel.stat().st_size
    if size >= LIMIT:
        sys.exit(f"build_wheel: {wheel} has {size} bytes; package indexes take less than {LIMIT}")
    print(f"{wheel}: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
