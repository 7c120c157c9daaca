# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses four libraries with kernels in one process: memory of one, a stream of another, a kernel of the third. The
fourth squares an array in host memory."""

import array
import ctypes
import sys

import add
import scale
import square

count = 1003
values = [float(i % 17) for i in range(count)]
memory = scale.upload(values)
scale.scale(memory, count, 2.0)
assert add.add(memory, count, 3.0) == 0
expected = [2 * value + 3 for value in values]
assert scale.download(memory, count) == expected

library = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_LOCAL)
library.sum.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
library.sum.restype = ctypes.c_float
stream = add.make_stream()
assert stream != 0
# Each partial sum is a small integer, so that the order of additions does not matter.
assert library.sum(memory, count, stream) == sum(expected)

numbers = array.array("f", values)
square.square(memoryview(numbers))
assert list(numbers) == [value * value for value in values]

with open("/proc/self/maps") as maps:
    runtimes = {line.split()[-1] for line in maps if "libcohort_runtime" in line}
assert len(runtimes) == 1, runtimes
print("one runtime serves four libraries")
