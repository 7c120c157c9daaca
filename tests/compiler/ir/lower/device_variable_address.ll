; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An initialiser that computes with another device variable's address, in a way that cannot be redone for each copy, is
; an error.
; RUN: not %cohort=cohort-device-variables %s 2>&1 | FileCheck %s
; CHECK: the initialiser of device variable 'w' computes with the address of another
@v = global i32 1
@w = global i64 add (i64 ptrtoint (ptr @v to i64), i64 ptrtoint (ptr @v to i64))
