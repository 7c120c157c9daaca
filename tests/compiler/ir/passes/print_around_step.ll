; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; -print-before prints the module before a step.
; RUN: %cohort=cohort-undefined-values,cohort-device-arithmetic -print-before=cohort-device-arithmetic -disable-output %s 2>&1 | FileCheck %s
; CHECK: IR Dump Before cohort-device-arithmetic
; CHECK: define i32 @f(i32 %x)
define i32 @f(i32 noundef %x) {
  ret i32 %x
}
