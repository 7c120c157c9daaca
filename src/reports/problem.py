# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An input or output that a command refuses. The text names the remedy."""


class Problem(Exception):
    pass
