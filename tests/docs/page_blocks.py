# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fenced code blocks of a page, with the file that the text before a block names."""

import re
from typing import NamedTuple

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"`([\w./-]+)`:\s*\Z")


class block(NamedTuple):
    language: str  # empty for output
    body: str
    file: str      # NAME where the text before the block ends with "`NAME`:", else empty
    line: int      # line number in the page


def blocks(text):
    found, end = [], 0
    for match in FENCE.finditer(text):
        name = FILE_NAME.search(text[end:match.start()])
        found.append(block(match[1], match[2], name[1] if name else "", text.count("\n", 0, match.start()) + 1))
        end = match.end()
    return found
