; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The absolute value of the most negative number is itself.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define i32 @f(i32 %x) {
; CHECK: call i32 @llvm.abs.i32(i32 %x, i1 false)
  %y = call i32 @llvm.abs.i32(i32 %x, i1 true)
  ret i32 %y
}
