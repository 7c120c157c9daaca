# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the declarations and definitions at namespace scope of a C++ file, without a compiler: enough to see in which
file something is declared and in which it is defined."""

import collections
import re

import sources

# kind: "type", "function" or "member" (name is "class::member"); defined: it has a body here.
Declaration = collections.namedtuple("Declaration", "position kind name defined")

TYPE = re.compile(r"\b(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(?:alignas\s*\([^()]*\)\s*|\[\[[^\]]*\]\]\s*"
                  r"|[A-Z][A-Z0-9_]+\s+)*(\w+)\s*(?:final\s*)?(?::(?!:)[^;{]*)?([;{])")
CALLED = re.compile(r"((?:\w+\s*::\s*)*~?\w+)\s*\(")
NO_FUNCTION = re.compile(r"^(?:__attribute__|__asm__|alignas|decltype|noexcept|static_assert|defined|sizeof|[A-Z][A-Z0-9_]+"
                         r"|__launch_bounds__|__cluster_dims__|operator|requires|if|while|for|switch|return)$")
ACCESS = re.compile(r"\b(?:public|protected|private)\s*:(?!:)")


def declarations(text):
    """The Declarations of a file."""
    code = _without_directives(text)
    for match in TYPE.finditer(code):
        yield Declaration(match.start(1), "type", match[1], match[2] == "{")
    for start, head, has_body in _statements(code):
        found = _function(head)
        if found:
            kind = "member" if "::" in found[1] else "function"
            yield Declaration(start + found[0], kind, re.sub(r"\s", "", found[1]), has_body)


def member_functions(text):
    """(class, position, function) of each function that a class declares in its body, but for constructors."""
    code = _without_directives(text)
    for match in TYPE.finditer(code):
        if match[2] != "{":
            continue
        body = _body(code, match.end(2))
        for start, head, _ in _statements(body):
            found = _function(ACCESS.sub(lambda m: sources.blank(m[0]), head))
            if found and found[1].lstrip("~") != match[1]:
                yield match[1], match.end(2) + start + found[0], found[1]


def _body(code, begin):
    """The text from `begin`, behind an open brace, up to the brace that closes it."""
    depth = 1
    for match in re.compile(r"[{}]").finditer(code, begin):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return code[begin:match.start()]
    return code[begin:]


def _without_directives(text):
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda m: sources.blank(m[0]), sources.without_strings(text), flags=re.M)


def _statements(code):
    """(position, text, whether a body follows) of each statement outside of functions and classes."""
    open_braces, begin = [], 0
    for match in re.finditer(r"[{};]", code):
        head, position = code[begin:match.start()], match.start()
        outside = all(open_braces)
        if match[0] == "{":
            is_namespace = bool(re.search(r"\bnamespace\b[^()]*$|\bextern\s*\"\s*\"\s*$", head))
            if outside and not is_namespace:
                yield begin, head, True
            open_braces.append(is_namespace)
            if is_namespace:
                begin = match.end()
        else:
            if match[0] == "}" and open_braces:
                open_braces.pop()
            elif outside:
                yield begin, head, False
            if all(open_braces):
                begin = position + 1


def _function(head):
    """(offset, name) of the function that a statement declares, or None."""
    code = _without_angles(head)
    for match in CALLED.finditer(code):
        if re.search(r"\b(?:using|typedef|static_assert|struct|class|enum)\b|[=<]", code[:match.start()]):
            return None
        if not NO_FUNCTION.match(match[1].split("::")[-1].strip()):
            before = code[:match.start()].strip()
            return (match.start(), match[1]) if before else None  # without a type it is a call of a macro
    return None


def _without_angles(head):
    """The text with each <...> blank. A `<` that no `>` closes stays: the statement ended inside an expression."""
    head = head.replace("->", "  ")
    while True:
        shorter = re.sub(r"<[^<>;]*>", lambda m: sources.blank(m[0]), head)
        if shorter == head:
            return head
        head = shorter
