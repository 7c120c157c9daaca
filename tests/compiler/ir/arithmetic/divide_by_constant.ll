; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A division by a constant stays, unless it is 0, or -1 in a signed one.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define i32 @f(i32 %x) {
; CHECK-LABEL: @f(
; CHECK-NEXT: %a = sdiv i32 %x, 7
; CHECK-NEXT: %b = udiv i32 %a, -1
; CHECK-NOT: sdiv i32 %b, -1
; CHECK: select
  %a = sdiv i32 %x, 7
  %b = udiv i32 %a, -1
  %c = sdiv i32 %b, -1
  ret i32 %c
}
