# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The module's test: python3 test_scale.py"""

import scale

values = [float(i) for i in range(1003)]
memory = scale.upload(values)
scale.scale(memory, len(values), 2.0)
assert scale.download(memory, len(values)) == [2 * value for value in values]
print(f"scale: {len(values)} values are right")
