# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the bodies of functions and classes of a C++ file, without a compiler: how long each is, and whose member."""

import collections
import functools
import re

import sources

# kind: "class" or "function"; owner: the name of the class that the function belongs to, or ""; lines: of the whole body;
# loose_lines: those outside its longest table or switch.
Body = collections.namedtuple("Body", "kind name owner line lines loose_lines")

CLASS = re.compile(r"\b(?:struct|class|union)\s+(?:alignas\s*\([^()]*\)\s*|\[\[[^\]]*\]\]\s*|[A-Z][A-Z0-9_]+\s+)*"
                   r"(\w+)(?:\s*<[^;{}]*>)?\s*(?:final\s*)?(?::(?!:)[^;{}]*)?$")
NAMESPACE = re.compile(r"\bnamespace\b[^(){};]*$|\bextern\s*\"\s*\"\s*$")
ENUM = re.compile(r"\benum\b[^(){};]*$")
NAME = re.compile(r"((?:\w+\s*(?:<[^<>;]*>)?\s*::\s*)*)(~?\w+|operator\s*[^\w\s(]+|operator\s*\(\s*\)|operator\s[\w\s:*&]+)\s*\(")
NO_NAME = re.compile(r"(?:alignas|decltype|noexcept|requires|__attribute__|__declspec|explicit|static_assert|sizeof|"
                     r"[A-Z][A-Z0-9_]+|__\w+__)$")
MEMBER_LIST = re.compile(r"\)\s*(?:noexcept\s*)?:(?!:)[^;]*[\w>]\s*$", re.S)  # a constructor before `member{`


@functools.cache
def bodies(text):
    """The Body of each class and function of a file, also of those inside classes."""
    return list(_bodies(text))


def _bodies(text):
    code = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda m: sources.blank(m[0]), sources.without_strings(text), flags=re.M)
    scopes = []  # open braces, outermost first
    begin = 0  # position where the statement begins
    line, counted = 1, 0
    for match in re.finditer(r"[{};]", code):
        line, counted = line + code.count("\n", counted, match.start()), match.start()
        inside = scopes[-1] if scopes else None
        outside = inside is None or inside.kind in ("namespace", "class")
        if match[0] == "{":
            scopes.append(_Scope(*_opened(code, begin, match.start(), scopes, outside), line))
            if scopes[-1].kind != "value" or not outside:
                begin = match.end()
        elif match[0] == "}" and scopes:
            closed = scopes.pop()
            if closed.kind in ("class", "function"):
                yield Body(closed.kind, closed.name, closed.owner, closed.line, line - closed.line + 1,
                           line - closed.line + 1 - closed.longest_table)
            elif closed.kind == "table" and scopes:
                _note_table(scopes, line - closed.line + 1)
            if closed.kind != "value":
                begin = match.end()
        elif match[0] == ";":
            begin = match.end()


class _Scope:
    def __init__(self, kind, name, owner, line):
        self.kind, self.name, self.owner, self.line = kind, name, owner, line
        self.longest_table = 0


def _note_table(scopes, lines):
    """Remembers the longest table or switch of the function that holds it."""
    function = next((scope for scope in reversed(scopes) if scope.kind == "function"), None)
    if function:
        function.longest_table = max(function.longest_table, lines)


def _opened(code, begin, end, scopes, outside):
    """(kind, name, owner) of the brace at `end`, whose statement starts at `begin`."""
    head = code[begin:end]
    if not outside:
        is_table = re.search(r"\bswitch\s*\(|(?:=|\breturn)\s*$", head)
        return ("table" if is_table else "block"), "", ""
    if NAMESPACE.search(head):
        return "namespace", "", ""
    if ENUM.search(head):
        return "value", "", ""
    without_template = re.sub(r"\btemplate\s*<[^;{}]*?>\s*(?=\b(?:struct|class|union)\b)", "", head)
    found = CLASS.search(without_template)
    if found and "(" not in without_template[:found.start()]:
        return "class", found[1], ""
    if MEMBER_LIST.search(head) or re.search(r"=\s*$", head):
        return "value", "", ""
    name = _name(head)
    if name is None:
        return "value", "", ""
    owner = scopes[-1].name if scopes and scopes[-1].kind == "class" else ""
    return "function", name[1], name[0] or owner


def _name(head):
    """(class or "", name) of the function that `head` begins."""
    for match in NAME.finditer(head):
        if NO_NAME.match(match[2].strip()) or re.search(r"=\s*$", head[:match.start()]):
            continue
        qualifiers = re.findall(r"\w+", re.sub(r"<[^<>]*>", "", match[1]))
        return (qualifiers[-1] if qualifiers else ""), match[2].strip()
    return None
