# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random statements: assignments, stores, divergent and uniform control flow, atomics, lines of printf, assertions."""

from expressions import Expressions
from nodes import Expression, Statement

DEEPEST = 3
VARIABLES = 6
SLOTS = 12  # words_per_thread / 2


class Statements:
    """Makes the body of one kernel. A subclass adds statements that wait (see collectives.py)."""

    retry = "add_by_retry"
    returns = True  # a thread may return anywhere

    def __init__(self, random, floats=False, functions=(), prints=False, assertions=False):
        self.random = random
        self.prints = prints
        self.assertions = assertions
        self.loops = 0
        integers = ["u32", "u32", "i32"]
        kinds = integers + [random.choice(("u64", "i64", "u8", "i16", "u32")) for _ in range(VARIABLES - len(integers))]
        if floats:
            kinds[-2:] = [random.choice(("f32", "f64")), "f32"]
        self.variables = {f"v{i}": kind for i, kind in enumerate(kinds)}
        self.make = Expressions(random, self.variables, floats, functions)

    def declarations(self):
        """Declares the variables, each with a value that depends on the thread."""
        values = {"f32": "fraction(a.in[t + {}u])", "f64": "3.0 * fraction(a.in[t + {}u])"}
        return "".join(f"  {kind} {name} = {values.get(kind, f'static_cast<{kind}>(a.in[t + {{}}u])').format(i)};\n"
                       for i, (name, kind) in enumerate(self.variables.items()))

    def several(self, depth, in_loop, uniform=False):
        return [self.one(depth, in_loop, uniform) for _ in range(self.random.randrange(1, 4))]

    def body(self):
        return [self.one(0, False, True) for _ in range(self.random.randrange(3, 8))]

    def assignment(self):
        name, kind = self.random.choice(list(self.variables.items()))
        choice = self.random.random()
        if choice < 0.15:
            return Statement(["own[", self.make.of("u32"), " & 7u] = ", self.make.of("u32"), ";"])
        if choice < 0.22:
            field = self.random.choice(("b", "c", "d"))
            return Statement(["records[", self.make.of("u32"), f" & 3u].{field} = ", self.make.of("u8"), ";"])
        if choice < 0.27:
            return Statement(["records[", self.make.of("u32"), " & 3u] = records[", self.make.of("u32"), " & 3u];"])
        return Statement([f"{name} = ", self.make.of(kind), ";"])

    def store(self):
        name = self.random.choice(list(self.variables))
        return Statement([f"put(out, {VARIABLES + self.random.randrange(SLOTS - VARIABLES)}u, {name});"])

    def atomic(self):
        """An atomic update. Each cell has one operation, so its result does not depend on the order of threads."""
        operations = ("atomicAdd", "atomicMax", "atomicMin", "atomicOr", "atomicAnd", "atomicXor", self.retry)
        number = self.random.randrange(len(operations) + 1)
        if number == len(operations):
            return Statement(["atomicAdd(&a.cells64[", self.make.of("u32"), " & 15u], ", self.make.of("u64"), ");"])
        cell = Expression("u32", [f"{2 * number}u + (", self.make.of("u32"), " & 1u)"])
        return Statement([f"{operations[number]}(&a.cells[", cell, "], ", self.make.of("u32"), ");"])

    def loop(self, depth, uniform):
        """A counted loop. A uniform loop has no jump, so it may contain barriers."""
        self.loops += 1
        i = f"n{self.loops}"
        if uniform:
            head = f"for (u32 {i} = 0; {i} < {self.make.uniform()}; ++{i}) "
            return Statement([head, self.several(depth + 1, False, True)], unwraps=True)
        if self.random.random() < 0.3:
            return self.stepping_loop(i, depth)
        bound = Expression("u32", ["(", self.make.of("u32"), f" & {self.random.choice((3, 7))}u)"])
        if self.random.random() < 0.3:
            return Statement([f"for (u32 {i} = 0; {i} < {self.random.randrange(2, 12)}u && ", self.make.condition(), f"; ++{i}) ",
                              self.several(depth + 1, True)])
        head = [f"for (u32 {i} = 0, e{i} = ", bound, f"; {i} < e{i}; ++{i}) "]
        return Statement([*head, [Statement([f"v0 ^= {i};"]), *self.several(depth + 1, True)]])

    def stepping_loop(self, i, depth):
        """A loop over the thread's indices, near values where they wrap around too. Steps of 2^27 end in any case."""
        step = 0x8000005
        heads = (f"for (u32 {i} = rank; {i} < {self.random.choice(('size * 3u', '200u', '1000u'))}; {i} += size) ",
                 f"for (u32 {i} = t + {self.random.choice((0xffffff80, 0xefffffb0, 0))}u; {i} < 0xf0000000u; {i} += {step}u) ",
                 f"for (u32 {i} = {self.random.choice((0x100, 0x10000040, 0xffffffff))}u - t; {i} > 0x10000000u; {i} -= {step}u) ",
                 f"for (i32 {i} = static_cast<i32>(t + {self.random.choice((0x7fffff80, 0x6fffffb0, 0))}u); {i} <= 0x70000000; "
                 f"{i} = static_cast<i32>(static_cast<u32>({i}) + {step}u)) ")
        index = self.random.choice((f"(u32){i} & 1023u", f"(u16){i}", f"t + (u8){i}"))
        load = Statement([f"{self.random.choice(('v0', 'v1'))} += a.in[{index}];"])
        return Statement([self.random.choice(heads), [Statement([f"v0 ^= {i};"]), load, *self.several(depth + 1, True)[:1]]])

    def switch(self, depth, in_loop):
        parts = ["switch (", self.make.of("u32"), " & 3u) "]
        cases = []
        for case in ("case 0u: ", "case 1u: ", "case 2u: ", "default: "):
            cases.append(Statement([case, self.several(depth + 2, False)]))
            if self.random.random() < 0.7:
                cases.append(Statement(["break;"]))
        if in_loop and self.random.random() < 0.3:
            cases.insert(1, Statement(["if (", self.make.condition(), ") continue;"]))
        return Statement([*parts, cases])

    def one(self, depth, in_loop, uniform):
        choice = self.random.random()
        if depth > DEEPEST or choice < 0.34:
            return self.assignment()
        if choice < 0.40:
            return self.store()
        if choice < 0.44:
            return self.atomic()
        if choice < 0.58:
            return Statement(["if (", self.make.condition(), ") ", self.several(depth + 1, in_loop)], unwraps=not in_loop)
        if choice < 0.68:
            arms = [self.several(depth + 1, in_loop), " else ", self.several(depth + 1, in_loop)]
            return Statement(["if (", self.make.condition(), ") ", *arms], unwraps=not in_loop)
        if choice < 0.84:
            return self.loop(depth, uniform and self.random.random() < 0.4)
        if choice < 0.90 and in_loop:
            return Statement(["if (", self.make.condition(), f") {self.random.choice(('break', 'continue'))};"])
        if self.assertions and choice >= 0.90:
            rest = self.random.choice((7, 31, 127))
            return Statement(["assert((", self.make.of("u32"), f" & {rest}u) != {self.random.randrange(rest)}u);"])
        if choice < 0.92 and self.returns:
            return Statement(["if (", self.make.condition(), ") ", [self.store(), Statement(["return;"])]])
        if choice < 0.95:
            return self.switch(depth, in_loop)
        if self.prints:
            text = f'printf("{self.random.randrange(1000)} %u %u\\n", t, '
            return Statement(["if (", self.make.condition(), ") " + text, self.make.of("u32"), ");"])
        return self.assignment()
