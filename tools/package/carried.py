# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of the build machine that a package carries: clang, the libraries that it loads, and their licenses."""

import pathlib
import re
import shutil
import subprocess

# Libraries that every system with g++ has; PEP 600 allows a wheel to rely on them.
SYSTEM = re.compile(r"^(ld-linux|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|libz)[.-]")
VERSION = re.compile(r"\bGLIBC_(\d+)\.(\d+)")
COMMON = re.compile(r"/usr/share/common-licenses/([A-Za-z][\w.-]*\w)")


def output(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def is_loadable(path):
    """True for ELF programs and shared libraries."""
    with open(path, "rb") as file:
        head = file.read(18)
    return head[:4] == b"\x7fELF" and head[16:] in (b"\x02\x00", b"\x03\x00")


def libraries(program):
    """Name and file of each shared library that the program loads, directly or not, except those of every system."""
    found = {}
    for name, path in re.findall(r"^\s*(\S+) => (/\S+)", output("ldd", program), re.M):
        if not SYSTEM.match(name):
            found[name] = pathlib.Path(path).resolve()
    return found


def newest_glibc(folder):
    """The newest version of glibc that a file below the folder needs."""
    versions = {(2, 17)}  # the oldest that wheels of this form name
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink() and is_loadable(path):
            versions |= {(int(major), int(minor)) for major, minor in VERSION.findall(output("objdump", "-T", path))}
    return max(versions)


class Carrier:
    """Copies files of Debian packages, and then the licenses of these packages."""

    def __init__(self):
        self.sources = set()

    def copy(self, source, target):
        source = pathlib.Path(source).resolve(strict=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
        self.sources.add(source)

    def copy_tree(self, source, target, wanted=lambda path: True):
        for path in sorted(source.rglob("*")):
            if path.is_file() and wanted(path):
                self.copy(path, target / path.relative_to(source))

    def packages(self):
        """The packages of all copied files. Where /lib is a link to /usr/lib, some packages list /lib."""
        names = {str(path): path for path in self.sources}
        names.update({"/" + str(path.relative_to("/usr")): path for path in self.sources if path.is_relative_to("/usr")})
        # The exit status is 1, because each file is listed under one of its two names only.
        listed = subprocess.run(["dpkg-query", "-S", *names], capture_output=True, text=True, check=False).stdout
        found = {names[path]: package for package, path in re.findall(r"^([^:,\s]+)\S*: (/.*)$", listed, re.M)}
        unknown = sorted(str(path) for path in self.sources - set(found))
        if unknown:
            raise RuntimeError(f"no package has these files, so their licenses are unknown: {' '.join(unknown)}")
        return sorted(set(found.values()))

    def write_licenses(self, folder):
        """The copyright file of each package, and the common licenses that these files refer to."""
        folder.mkdir(parents=True, exist_ok=True)
        common = set()
        for package in self.packages():
            text = pathlib.Path("/usr/share/doc", package, "copyright").read_text(encoding="utf-8")
            (folder / f"{package}.txt").write_text(text, encoding="utf-8")
            common |= set(COMMON.findall(text))
        for name in sorted(common):
            path = pathlib.Path("/usr/share/common-licenses", name)
            if path.is_file():
                shutil.copy(path, folder / f"{name}.txt")
