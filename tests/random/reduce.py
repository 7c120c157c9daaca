# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shrinks a kernel that two modes run differently: deletes statements, then replaces expressions by their parts."""

import copy
import dataclasses

import compare
from nodes import Expression, bodies, expressions

ROUNDS = 40
CANDIDATES = 32  # candidates that are compiled together


def without_statements(kernel):
    """Copies with one statement deleted, or replaced by one of its bodies."""
    for number, body in enumerate(bodies(kernel.body)):
        for index in range(len(body)):
            if body[index].declares:
                continue
            yield replaced(kernel, number, index, [])
            if body[index].unwraps:
                for part in body[index].parts:
                    if isinstance(part, list):
                        yield replaced(kernel, number, index, copy.deepcopy(part))


def replaced(kernel, body_number, index, statements):
    result = copy.deepcopy(kernel)
    body = list(bodies(result.body))[body_number]
    body[index:index + 1] = statements
    return result


def with_smaller_expressions(kernel):
    """Copies of the kernel in which one expression is replaced by a part of it, or by 1."""
    for number, (holder, index) in enumerate(expressions(kernel.body)):
        whole = holder.parts[index]
        choices = [part for part in whole.parts if isinstance(part, Expression) and part.type == whole.type]
        if whole.type != "bool" and len(whole.parts) > 1:
            choices.append(Expression(whole.type, [f"static_cast<{whole.type}>(1)"]))
        for choice in choices:
            result = copy.deepcopy(kernel)
            its_holder, its_index = list(expressions(result.body))[number]
            its_holder.parts[its_index] = copy.deepcopy(choice)
            yield result


def size(kernel):
    return len(kernel.source())


def smallest_that_differs(difference, candidates, programs):
    """The smallest candidate that the two modes run differently, or None."""
    named = [dataclasses.replace(one, name=f"k{i}", shapes=[shape for shape in one.shapes if compare.shape_text(shape) == difference.shape])
             for i, one in enumerate(candidates)]
    comparison = compare.Comparison(programs, [difference.first, difference.second])
    found = comparison.all_results(named)
    first, second = (found.get(mode.name, {}) for mode in (difference.first, difference.second))
    for one in named:
        key = (one.name, difference.shape)
        if key in first and key in second and first[key] != second[key] and not str(second[key]).startswith("does not compile"):
            return dataclasses.replace(one, name=difference.kernel.name)
    return None


def reduced(difference, programs):
    best = difference.kernel
    for step in (without_statements, with_smaller_expressions):
        for _ in range(ROUNDS):
            candidates = sorted((one for one in step(best) if size(one) < size(best)), key=size)
            for start in range(0, len(candidates), CANDIDATES):
                smaller = smallest_that_differs(difference, candidates[start:start + CANDIDATES], programs)
                if smaller:
                    break
            else:
                break
            best = smaller
    return best
