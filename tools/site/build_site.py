#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the documentation site: the pages of docs/ and the reference of the public headers.

  build_site.py ROOT OUTPUT      writes OUTPUT/index.html and the rest

Exit status 1 and one line for each finding: an undocumented public declaration, a complaint of Doxygen, a dead link,
a page that docs/README.md does not list. Exit status 77 without Doxygen."""

import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True  # Python writes no __pycache__ into the checkout

import doxygen
import pages
import reference


def build(root, output):
    """Writes the site; returns the findings."""
    findings = []
    if (output / "search_index.js").is_file():  # an older site: pages that are gone must not remain
        shutil.rmtree(output)
    with tempfile.TemporaryDirectory() as work:
        findings += doxygen.run(root, pathlib.Path(work))
        library = doxygen.library(root, pathlib.Path(work))
    findings += [f"include/{file}:{line}: {name} has no comment" for file, line, name in library.undocumented()]
    api = reference.reference(library, root)
    api.build()
    calls = "docs/cuda-runtime.md"
    findings += [f"{calls}: {name} has no prototype in include/cudart"
                 for name in api.cuda_calls("docs/cuda-runtime.html", (root / calls).read_text())]
    site = pages.site(root, output)
    site.add_guides()
    site.add_reference(api)
    site.write()
    return findings + site.unlisted() + pages.dead_links(output)


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    if shutil.which("doxygen") is None:
        print("skipped: doxygen is missing (Debian: doxygen)")
        sys.exit(77)
    root, output = pathlib.Path(arguments[0]).resolve(), pathlib.Path(arguments[1]).resolve()
    findings = build(root, output)
    for finding in findings:
        print(finding)
    count = sum(1 for _ in output.rglob("*.html"))
    print(f"{output}/index.html: {count} pages, {len(findings)} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
