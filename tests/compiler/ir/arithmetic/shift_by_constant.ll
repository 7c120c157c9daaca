; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A shift by a constant below the width stays, also of a vector.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define <2 x i32> @f(<2 x i32> %x) {
; CHECK-LABEL: @f(
; CHECK-NEXT: %y = lshr <2 x i32> %x, <i32 31, i32 31>
; CHECK-NEXT: ret
  %y = lshr <2 x i32> %x, <i32 31, i32 31>
  ret <2 x i32> %y
}
