; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A half is extended first, since it cannot represent the bounds of the integers.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define i32 @f(half %x) {
; CHECK-LABEL: @f(
; CHECK-NEXT: [[WIDE:%.+]] = fpext half %x to float
; CHECK: fcmp oge float [[WIDE]], 0x41E0000000000000
  %y = fptosi half %x to i32
  ret i32 %y
}
