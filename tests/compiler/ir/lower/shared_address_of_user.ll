; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A variable of the program cannot hold the address of a __shared__ variable, which differs between blocks.
; RUN: not %cohort=cohort-shared-variables %s 2>&1 | FileCheck %s
; CHECK: the initialiser of variable 'pointer' holds the address of a __shared__ variable, which differs between blocks
@a = internal global i64 undef
@pointer = global ptr @a
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @a, ptr @mark, ptr @mark, i32 0, ptr null }], section "llvm.metadata"
@mark = private constant [14 x i8] c"cohort.shared\00", section "llvm.metadata"
