; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; In 64 bits, a dividend below 2^32 divided by zero gives 2^32 - 1.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define i64 @f(i64 %x, i64 %d) {
; CHECK-LABEL: @f(
; CHECK: [[SHORT:%.+]] = icmp ule i64 %x, 4294967295
; CHECK: [[ONES:%.+]] = select i1 [[SHORT]], i64 4294967295, i64 -1
; CHECK: %y = select i1 {{%.+}}, i64 [[ONES]], i64
  %y = udiv i64 %x, %d
  ret i64 %y
}
