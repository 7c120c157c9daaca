#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A picture of the page that cohort-view makes of a trace:

    tools/page_picture.py ROOT --write   draws the page in a headless Chromium
    tools/page_picture.py ROOT --check   fails unless the picture was drawn from the trace by this tree's page

docs/pictures/timeline.json is the trace of tests/view/timeline.cu; COHORT_WORKERS=2 COHORT_TRACE=... ./timeline makes
another one. The picture, docs/pictures/timeline.png, has the hash of its page, so --check needs no browser."""

import argparse
import base64
import hashlib
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True  # Python writes no __pycache__ into the checkout

WIDTH, SCALE = 900, 1.5  # width in CSS pixels, and pixels of the picture for each of them
KEY = b"page"
HEADER = 8 + 12 + 13  # bytes of the signature and of the first chunk, which has 13 bytes of content


def page_of(root):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "page.html"
        subprocess.run([sys.executable, "-B", root.resolve() / "src/view/cohort_view.py", "timeline.json", "-o", path],
                       cwd=root / "docs/pictures", check=True)
        return path.read_text()


def text_chunk(text):
    body = b"tEXt" + KEY + b"\0" + text.encode()
    return struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))


def with_text(png, text):
    """The picture with a text in its first chunk after the header."""
    return png[:HEADER] + text_chunk(text) + png[HEADER:]


def has_text(png, text):
    return png[HEADER:].startswith(text_chunk(text))


def draw(root, text):
    sys.path.insert(0, str(root / "tests/view"))
    import browser

    if not browser.find():
        sys.exit("page_picture: no Chromium is installed; `tools/bootstrap.sh long` installs one")
    shown = browser.Browser()
    try:
        shown.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=800, deviceScaleFactor=SCALE, mobile=False)
        shown.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.html"
            path.write_text(text)
            shown.open(path)
        bottom = shown.evaluate("document.querySelector('.kernels').getBoundingClientRect().bottom")
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": bottom, "scale": 1}
        return base64.b64decode(shown.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"])
    finally:
        shown.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    modes = parser.add_mutually_exclusive_group(required=True)
    modes.add_argument("--write", action="store_true")
    modes.add_argument("--check", action="store_true")
    options = parser.parse_args()
    picture = options.root / "docs/pictures/timeline.png"
    text = page_of(options.root)
    made_of = hashlib.sha256(text.encode()).hexdigest()
    if options.write:
        picture.write_bytes(with_text(draw(options.root, text), made_of))
    elif not picture.is_file() or not has_text(picture.read_bytes(), made_of):
        sys.exit("page_picture: docs/pictures/timeline.png shows another page than cohort-view makes of "
                 "docs/pictures/timeline.json; run tools/page_picture.py . --write")


if __name__ == "__main__":
    main()
