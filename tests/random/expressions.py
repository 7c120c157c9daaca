# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random expressions of every arithmetic type. kernel_support.hpp has the functions that they call."""

from nodes import Expression

INTEGERS = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")
FLOATS = ("f32", "f64")
BITS = {"i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32, "i64": 64, "u64": 64}
DEEPEST = 3


def literal(random, kind):
    if kind in FLOATS:
        suffix = "f" if kind == "f32" else ""
        return Expression(kind, [random.choice(("0.0", "1.0", "-1.5", "0.375", "3.1", "-7.25", "1e9", "1e-9", "2147483648.0")) + suffix])
    bits = BITS[kind]
    value = random.choice((0, 1, 2, 3, 7, 31, 32, 63, 64, 100, random.randrange(50), 2 ** (bits - 1) - 1, 2 ** (bits - 1), 2**bits - 1))
    return Expression(kind, [f"static_cast<{kind}>({value}ull)"])


class Expressions:
    """Makes expressions from `variables` (name -> type)."""

    def __init__(self, random, variables, floats, functions=()):
        self.random = random
        self.variables = variables
        self.types = INTEGERS + ("i32", "u32", "u32") + (FLOATS + ("f32", "f32") if floats else ())
        self.floats = floats
        self.functions = functions  # functions of kernel_support.hpp from f32 to f32

    def type(self):
        return self.random.choice(self.types)

    def leaf(self, kind):
        names = [name for name, its_type in self.variables.items() if its_type == kind]
        if kind == "u32":
            names += ["t", "rank", "a.n", "threadIdx.x"]
        if names and self.random.random() < 0.75:
            return Expression(kind, [self.random.choice(names)])
        if self.random.random() < 0.4:
            return Expression(kind, [f"static_cast<{kind}>(", Expression("u32", ["t"]), ")"])
        return literal(self.random, kind)

    def of(self, kind, depth=0):
        if depth >= DEEPEST or self.random.random() < 0.3:
            return self.leaf(kind)
        return self.float(kind, depth + 1) if kind in FLOATS else self.integer(kind, depth + 1)

    def common(self, kind, depth):
        """Forms of expressions for integers and floats; None stands for a form of the one family."""
        choice = self.random.random()
        if choice < 0.08:
            return Expression(kind, ["(", self.condition(depth), " ? ", self.of(kind, depth), " : ", self.of(kind, depth), ")"])
        if choice < 0.16:
            return Expression(kind, [f"divide<{kind}>(", self.of(kind, depth), ", ", self.of(kind, depth), ")"])
        if choice < 0.28:
            other = self.type()
            return Expression(kind, [f"convert<{kind}>(", self.of(other, depth), ")"])
        return None

    def integer(self, kind, depth):
        common = self.common(kind, depth)
        if common:
            return common
        choice = self.random.random()
        if choice < 0.08:
            return Expression(kind, [f"remainder_of<{kind}>(", self.of(kind, depth), ", ", self.of(kind, depth), ")"])
        if choice < 0.18:
            shift = self.random.choice(("shift_left", "shift_right"))
            return Expression(kind, [f"{shift}<{kind}>(", self.of(kind, depth), ", ", self.of("u32", depth), ")"])
        if choice < 0.36:
            return Expression(kind, [f"static_cast<{kind}>(", self.load(depth), ")"])
        if choice < 0.44:
            return Expression(kind, [f"static_cast<{kind}>(", self.private(depth), ")"])
        if choice < 0.50:
            function = self.random.choice(("__popc", "__clz", "__ffs", "__brev", "scramble"))
            return Expression(kind, [f"static_cast<{kind}>({function}(", self.of("u32", depth), "))"])
        operator = self.random.choice(("+", "-", "*", "&", "|", "^", "+", "-"))
        return Expression(kind, [f"static_cast<{kind}>(", self.of(kind, depth), f" {operator} ", self.of(kind, depth), ")"])

    def float(self, kind, depth):
        common = self.common(kind, depth)
        if common:
            return common
        choice = self.random.random()
        if choice < 0.06:
            return Expression(kind, ["root(", self.of(kind, depth), ")"])
        if choice < 0.12:
            function = self.random.choice(("least", "most"))
            return Expression(kind, [f"{function}(", self.of(kind, depth), ", ", self.of(kind, depth), ")"])
        if choice < 0.22:
            return Expression(kind, [f"static_cast<{kind}>(fraction(", self.load(depth), "))"])
        if choice < 0.25 and kind == "f32":
            return Expression(kind, ["from_bits(", self.of("u32", depth), ")"])
        if self.functions and choice < 0.45:
            function = self.random.choice(self.functions)
            return Expression(kind, [f"static_cast<{kind}>({function}(", self.of("f32", depth), "))"])
        operator = self.random.choice(("+", "-", "*", "*", "+"))
        return Expression(kind, ["(", self.of(kind, depth), f" {operator} ", self.of(kind, depth), ")"])

    def load(self, depth):
        """A word or byte of constant memory. `wide` has 2^32 bytes, so its indices may wrap around."""
        choice = self.random.random()
        if choice < 0.4:
            return Expression("u32", ["a.in[", self.of("u32", depth), " & 1023u]"])
        if choice < 0.6:
            return Expression("u32", [f"a.in[t + {self.random.randrange(64)}u]"])
        if choice < 0.7:
            narrow, near = self.random.choice((("u16", 65536), ("u8", 256)))
            return Expression("u32", [f"a.in[static_cast<{narrow}>(t + {near - self.random.randrange(1, 40)}u)]"])
        if choice < 0.85:
            return Expression("u32", [f"a.wide[t + (a.wrap + {self.random.randrange(16)}u)]"])
        return Expression("u32", [f"a.middle[static_cast<i32>(t + {0x80000000 - self.random.randrange(1, 40)}u)]"])

    def private(self, depth):
        if self.random.random() < 0.6:
            return Expression("u32", ["own[", self.of("u32", depth), " & 7u]"])
        field = self.random.choice("bcd")
        return Expression("u32", ["records[", self.of("u32", depth), f" & 3u].{field}"])

    def condition(self, depth=0):
        choice = self.random.random()
        kind = self.type()
        if choice < 0.35:
            mask, value = self.random.choice((1, 3, 7)), self.random.randrange(3)
            return Expression("bool", ["(", self.of("u32", depth + 1), f" & {mask}u) == {value}u"])
        if choice < 0.45:
            return Expression("bool", [f"rank < {self.random.choice((1, 7, 16, 31, 32, 33, 50, 64))}u"])
        if choice < 0.55 and depth < DEEPEST:
            operator = self.random.choice(("&&", "||"))
            return Expression("bool", ["(", self.condition(depth + 1), f" {operator} ", self.condition(depth + 1), ")"])
        operator = self.random.choice(("<", ">", "<=", "==", "!="))
        return Expression("bool", [self.of(kind, depth + 1), f" {operator} ", self.of(kind, depth + 1)])

    def uniform(self):
        """A small number that all threads of a block share."""
        return self.random.choice((f"{self.random.randrange(1, 6)}u", "(a.n & 3u)",
                                   f"(a.in[blockIdx.x + {self.random.randrange(9)}u] & 3u)"))
