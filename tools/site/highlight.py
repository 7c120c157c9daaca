# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Colours for code: comments, strings, numbers and keywords of C++, CUDA, CMake and shell."""

import html
import re

CPP_WORDS = ("alignas auto bool break case char class const constexpr continue default delete do double else enum explicit "
             "false float for friend if inline int long namespace new noexcept nullptr operator private protected public "
             "return short sizeof static struct switch template this true typedef typename union unsigned using void "
             "volatile while __global__ __device__ __host__ __shared__ __constant__ __cluster_dims__ dim3 size_t").split()
CPP = re.compile(r"(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
                 r"|(?P<directive>^[ \t]*#[ \t]*\w+)|(?P<number>\b(?:0x[\da-fA-F]+|\d[\d.]*)\w*)|(?P<word>\b[A-Za-z_]\w*)",
                 re.S | re.M)
SHELL = re.compile(r"(?P<comment>(?<!\S)#[^\n]*)|(?P<string>\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*')", re.S)
LANGUAGES = {"cpp": CPP, "c++": CPP, "cuda": CPP, "cu": CPP, "sh": SHELL, "bash": SHELL, "cmake": SHELL}


def marked(code, pattern):
    parts, end = [], 0
    for match in pattern.finditer(code):
        parts.append(html.escape(code[end:match.start()], False))
        kind, text = match.lastgroup, html.escape(match.group(0), False)
        if kind == "word":
            kind = "keyword" if match.group(0) in CPP_WORDS else None
        parts.append(f'<span class="{kind}">{text}</span>' if kind else text)
        end = match.end()
    return "".join(parts + [html.escape(code[end:], False)])


def highlighted(code, language):
    pattern = LANGUAGES.get(language)
    return f"<pre><code>{marked(code, pattern) if pattern else html.escape(code, False)}</code></pre>"
