# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the operation of cumulative.cu from JAX, also in a compiled function:  test_cumulative.py LIBRARY"""

import ctypes
import sys

import jax
import jax.numpy as jnp

library = ctypes.CDLL(sys.argv[1])
jax.ffi.register_ffi_target("cumulative", jax.ffi.pycapsule(library.cumulative_handler), platform="cpu")


def cumulative(x):
    return jax.ffi.ffi_call("cumulative", jax.ShapeDtypeStruct(x.shape, x.dtype))(x)


values = jnp.arange(7 * 33, dtype=jnp.float32).reshape(7, 33) % 17
expected = jnp.cumsum(values, axis=1)
assert (cumulative(values) == expected).all()
assert (jax.jit(lambda x: cumulative(2 * x) + 1)(values) == 2 * expected + 1).all()
print("the kernel's sums are those of JAX")
