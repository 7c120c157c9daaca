#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the tables by which cuRAND's generators skip ahead.

A linear generator with the characteristic polynomial P skips n steps by the polynomial x^n mod P: the state after n
steps is the sum of the coefficients' multiples of the next states. The tables have x^(2^k) mod P for the powers that the
generators need. P comes from the generator's own output, by the algorithm of Berlekamp and Massey, or from its paper.

    tools/curand_tables.py .            compares the tables with the files in the tree
    tools/curand_tables.py . --write    writes them
"""
import argparse
import pathlib
import re
import sys
import textwrap

FOLDER = pathlib.Path("include/cudart/cudart_detail/curand")
LIBRARY = pathlib.Path("src/libraries/curand")
LICENSE = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
MAKER = "tools/curand_tables.py"


def minimal_polynomial(bits):
    """The characteristic polynomial of the shortest linear recurrence that gives the bits (Berlekamp and Massey)."""
    current, previous, length, shift, window = 1, 1, 0, 1, 0
    for position, bit in enumerate(bits):
        window = window << 1 | bit
        if not (current & window).bit_count() & 1:
            shift += 1
            continue
        kept = current
        current ^= previous << shift
        if 2 * length <= position:
            length, previous, shift = position + 1 - length, kept, 1
        else:
            shift += 1
    return sum((current >> k & 1) << length - k for k in range(length + 1))


def square_modulo(value, polynomial):
    """The square of a polynomial over GF(2), modulo another one with few terms below its degree."""
    square = int("0".join(bin(value)[2:]), 2)
    degree = polynomial.bit_length() - 1
    terms = [k for k in range(degree) if polynomial >> k & 1]
    while square >> degree:
        high = square >> degree
        square &= (1 << degree) - 1
        for term in terms:
            square ^= high << term
    return square


def powers_of_two(polynomial, count):
    """x^(2^k) modulo the polynomial, for k below the count."""
    values = [2]
    while len(values) < count:
        values.append(square_modulo(values[-1], polynomial))
    return values


def words_of(value, count):
    return [value >> 32 * k & 0xFFFFFFFF for k in range(count)]


def xorwow_bits(count):
    """The lowest bits of Marsaglia's xorwow without its counter, from the paper's state."""
    state = [123456789, 362436069, 521288629, 88675123, 5783321]
    for _ in range(count):
        first = state[0] ^ state[0] >> 2
        last = state[4]
        state = state[1:] + [(last ^ last << 4 ^ first ^ first << 1) & 0xFFFFFFFF]
        yield state[4] & 1


def xorwow():
    """131 rows: 2^0 .. 2^66 skip values, 2^67 .. 2^130 skip sequences."""
    polynomial = minimal_polynomial(xorwow_bits(400))
    assert polynomial.bit_length() == 161
    rows = [words_of(value, 5) for value in powers_of_two(polynomial, 131)]
    return "x^(2^k) modulo xorwow's characteristic polynomial, k = 0 .. 130; the lowest coefficients first.", rows


def multiply(left, right, coefficients, modulus):
    """The product of two polynomials modulo x^3 - a x^2 - b x - c and modulo the prime; the lowest coefficient first."""
    product = [0] * 5
    for i, x in enumerate(left):
        for j, y in enumerate(right):
            product[i + j] += x * y
    for k in (4, 3):
        for i, factor in enumerate(coefficients):
            product[k - 1 - i] += product[k] * factor
    return [value % modulus for value in product[:3]]


def mrg32k3a():
    """191 rows: 2^0 .. skip values, 2^76 .. subsequences, 2^127 .. sequences; for both components."""
    rows = []
    components = (((0, 1403580, -810728), 4294967087), ((527612, 0, -1370589), 4294944443))
    values = [[0, 1, 0], [0, 1, 0]]
    for _ in range(191):
        rows.append(values[0] + values[1])
        values = [multiply(v, v, *component) for v, component in zip(values, components, strict=True)]
    return "x^(2^k) modulo the characteristic polynomials of MRG32k3a's two components, k = 0 .. 190.", rows


def product(left, right):
    """The product of two polynomials over GF(2)."""
    value = 0
    while right:
        value ^= left << (right & -right).bit_length() - 1
        right &= right - 1
    return value


def mt19937_polynomial():
    """The characteristic polynomial that the paper of the Mersenne twister gives in its appendix."""
    upper, lower, coefficients = 1 << 624 | 1 << 397, 1 << 623 | 1 << 396, 0x9908B0DF
    powers = [1]
    for _ in range(31):
        powers.append(product(powers[-1], lower))
    value = product(powers[31], upper) ^ coefficients >> 31
    for k in range(31):
        if coefficients >> k & 1:
            value ^= product(powers[30 - k], upper)
    return value


def mt19937(next_stream=None):
    """Two rows: the next stream, and the next group of 128 streams. `next_stream`: the first row as a polynomial, whose
    computation takes half a minute."""
    polynomial = mt19937_polynomial()
    next_group = next_stream = next_stream or powers_of_two(polynomial, 2049)[2048]
    for _ in range(7):
        next_group = square_modulo(next_group, polynomial)
    return ("x^(2^2048) and x^(2^2055) modulo MT19937's characteristic polynomial; the lowest coefficients first.",
            [words_of(next_stream, 624), words_of(next_group, 624)])


def first_row(path):
    """The first row of a table's file, as a polynomial."""
    words = re.findall(r"0x([0-9a-f]{8})", path.read_text().split("}")[0])
    return int("".join(reversed(words)), 16)


TABLES = {FOLDER / "xorwow_skips.inc": xorwow, FOLDER / "mrg32k3a_skips.inc": mrg32k3a,
          LIBRARY / "mt19937_jumps.inc": mt19937}


def text_of(table, *known):
    comment, rows = table(*known)
    lines = [textwrap.fill("{" + ", ".join(f"0x{word:08x}" for word in row) + "},", 120) for row in rows]
    return f"{LICENSE}// Written by {MAKER}:\n// {comment}\n// clang-format off\n" + "\n".join(lines) + "\n// clang-format on\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path, help="the repository")
    parser.add_argument("--write", action="store_true", help="write the tables instead of comparing them")
    options = parser.parse_args()
    stale = []
    for path, table in TABLES.items():
        file = options.root / path
        known = [first_row(file)] if table is mt19937 and not options.write and file.exists() else []
        text = text_of(table, *known)
        if options.write:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            stale.append(str(path))
    if stale:
        sys.exit(f"{MAKER}: {', '.join(stale)}: not what the program computes; run it with --write")


if __name__ == "__main__":
    main()
