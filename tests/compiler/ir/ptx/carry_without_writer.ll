; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A statement that reads the carry flag needs an earlier one that writes it.
; RUN: not %cohort=cohort-inline-ptx %s 2>&1 | FileCheck %s
; CHECK: addc reads a carry that no statement before it writes
define i32 @f(i32 %a) {
  %d = call i32 asm "addc.u32 $0, $1, $1;", "=r,r"(i32 %a)
  ret i32 %d
}
