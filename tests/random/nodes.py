# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The syntax tree of a random kernel: text, expressions and statements that a reducer can replace or delete."""

import dataclasses


@dataclasses.dataclass
class Expression:
    """An expression of a C++ type. `parts` are strings and expressions."""
    type: str
    parts: list

    def __str__(self):
        return "".join(str(part) for part in self.parts)


@dataclasses.dataclass
class Statement:
    """A statement; `parts` are strings, expressions and, for a body, lists of statements."""
    parts: list
    unwraps: bool = False  # a body may replace the statement
    declares: bool = False  # later statements use its variable

    def lines(self, indent):
        line = "  " * indent
        for part in self.parts:
            if isinstance(part, list):
                yield line + "{"
                for statement in part:
                    yield from statement.lines(indent + 1)
                line = "  " * indent + "}"
            else:
                line += str(part)
        yield line


def text(statements, indent=1):
    return "\n".join(line for statement in statements for line in statement.lines(indent))


def bodies(statements):
    """Yields all lists of statements, outermost first."""
    yield statements
    for statement in statements:
        for part in statement.parts:
            if isinstance(part, list):
                yield from bodies(part)


def expressions(statements):
    """Yields (holder, index) of all expressions, where holder.parts[index] is one. Larger ones come first."""
    work = [statement for body in bodies(statements) for statement in body]
    while work:
        holder = work.pop(0)
        for index, part in enumerate(holder.parts):
            if isinstance(part, Expression):
                yield holder, index
                work.append(part)
