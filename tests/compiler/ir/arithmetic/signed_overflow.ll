; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Signed arithmetic wraps around: nsw is removed, nuw stays.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define i32 @f(i32 %x, i32 %y) {
; CHECK-LABEL: @f(
; CHECK-NEXT: %a = add i32 %x, %y
; CHECK-NEXT: %b = mul nuw i32 %a, %y
  %a = add nsw i32 %x, %y
  %b = mul nuw nsw i32 %a, %y
  ret i32 %b
}
