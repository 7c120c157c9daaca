; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A shift by a constant of the width gets the rule of a variable amount.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define i32 @f(i32 %x) {
; CHECK-LABEL: @f(
; CHECK: %y = select i1 false, i32 {{%.+}}, i32 0
  %y = shl i32 %x, 32
  ret i32 %y
}
