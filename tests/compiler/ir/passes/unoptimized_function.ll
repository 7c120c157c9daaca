; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A step is required: it also changes functions without optimization.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
; CHECK: add i32 %x, 1
define i32 @f(i32 %x) noinline optnone {
  %y = add nsw i32 %x, 1
  ret i32 %y
}
