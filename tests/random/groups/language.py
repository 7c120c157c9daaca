# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements about C++ itself, not groups: virtual calls, function pointers, unions, bit-fields, 128-bit integers,
16-bit floats."""

from groups.places import THREAD, Piece, block, declaration
from nodes import Statement

CALLED = ("called_sum", "called_mix", "called_loop", "called_recursion")


class Language:
    language_pieces = (Piece("virtual_call", THREAD, 3), Piece("function_pointer", THREAD, 3), Piece("union", THREAD, 2),
                       Piece("bit_fields", THREAD, 3), Piece("wide_integers", THREAD, 3), Piece("small_floats", THREAD, 2))

    def virtual_call(self, place):
        return block(declaration("const number_of_thread plain(", self.make.of("u32"), ");"),
                     declaration("const product_of_thread product(", self.make.of("u32"), ", ", self.make.of("u32"), ");"),
                     declaration("const counter_of_thread counter(", self.make.of("u32"), ", ", self.make.of("u32"), ");"),
                     declaration("const number_of_thread* const object = ", self.make.condition(), " ? &plain : ", self.make.condition(),
                                 " ? static_cast<const number_of_thread*>(&product) : &counter;"),
                     self.into(self.random.choice(("object->twice(", "call_twice(*object, ")), self.make.of("u32"), ")"))

    def function_pointer(self, place):
        names = [self.random.choice(CALLED) for _ in range(4)]
        if self.random.random() < 0.5:
            return block(declaration(f"const called_function table[4] = {{{', '.join(names)}}};"),
                         self.into("table[", self.make.of("u32"), " & 3u](", self.make.of("u32"), ", ", self.make.of("u32"), ")"))
        return block(declaration("called_function called = ", self.make.condition(), f" ? {names[0]} : {names[1]};"),
                     Statement(["if (", self.make.condition(), f") called = {names[2]};"]),
                     self.into("called(", self.make.of("u32"), ", ", self.make.of("u32"), ")"))

    def union(self, place):
        writes = [Statement(["both.bytes[", self.make.of("u32"), " & 7u] = ", self.make.of("u8"), ";"]),
                  Statement(["both.halves[", self.make.of("u32"), " & 1u] ^= ", self.make.of("u32"), ";"]),
                  Statement(["both.fields.next = ", self.make.of("i16"), ";"])]
        return block(declaration("parts both;"), declaration("both.whole = ", self.make.of("u64"), ";"),
                     *self.random.sample(writes, self.random.randrange(1, 4)),
                     self.into("folded(both.whole) + both.fields.low + both.bytes[", self.make.of("u32"), " & 7u]"))

    def bit_fields(self, place):
        fields = {"a": "u32", "b": "i32", "c": "u32", "d": "u64", "e": "i64"}
        writes = []
        for _ in range(self.random.randrange(1, 5)):
            field = self.random.choice(list(fields))
            # The cast wraps the value to the field's range, in an expression of the field's own type.
            writes.append(Statement([f"x.{field} {self.random.choice(('=', '+=', '^='))} ", self.make.of(fields[field]), ";"]))
        return block(declaration("bits x = {};"), *writes, Statement(["x.f = ", self.make.condition(), ";"]),
                     self.into("folded_bits(x)"))

    def wide_integers(self, place):
        kind = self.random.choice(("u128", "u128", "i128"))
        steps = []
        for _ in range(self.random.randrange(1, 5)):
            operator = self.random.choice(("+=", "-=", "^=", "&=", "|="))
            steps.append(self.random.choice((
                lambda operator=operator: Statement([f"x {operator} wide_of(", self.make.of("u64"), ", ", self.make.of("u64"), ");"]),
                lambda: Statement(["x = static_cast<u128>(x) * wide_of(", self.make.of("u64"), ", ", self.make.of("u64"), ");"]),
                lambda: Statement(["x = static_cast<u128>(x) << (", self.make.of("u32"), " & 127u);"]),
                lambda: Statement(["x = x >> (", self.make.of("u32"), " & 127u);"]),
                lambda: Statement(["x = static_cast<u128>(x) / (wide_of(", self.make.of("u64"), " & 0xffffu, ",
                                   self.make.of("u64"), ") | 1u);"]),
                lambda: Statement(["x = static_cast<u128>(x) % (wide_of(", self.make.of("u64"), ", ", self.make.of("u64"), ") | 1u);"]),
                lambda: Statement([f"if (x < static_cast<{kind}>(wide_of(", self.make.of("u64"), ", 5u))) x = ~x;"])))())
        return block(declaration(f"{kind} x = static_cast<{kind}>(wide_of(", self.make.of("u64"), ", ", self.make.of("u64"), "));"), *steps,
                     self.into("folded(folded_wide(static_cast<u128>(x)))"))

    def small_floats(self, place):
        function = self.random.choice(("rounded_half", "rounded_bfloat16"))
        return self.into(f"{function}(", self.make.of("u32"), ", ", self.make.of("u32"), ")")
