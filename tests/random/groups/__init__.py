# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements of random kernels with groups, by subject."""
