; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A shift has the rules of PTX: by the width or more it gives 0.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
define i32 @f(i32 %a, i32 %n) {
; CHECK-LABEL: @f(
; CHECK: [[FITS:%.+]] = icmp ule i32 %n, 31
; CHECK: select i1 [[FITS]], i32 {{%.+}}, i32 0
  %d = call i32 asm "shl.b32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %n)
  ret i32 %d
}
