; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A type that an instruction does not take is an error that lists the types.
; RUN: not %cohort=cohort-inline-ptx %s 2>&1 | FileCheck %s
; CHECK: bfe takes .u32 .s32 .u64 .s64
define i32 @f(i32 %a) {
  %d = call i32 asm "bfe.b32 $0, $1, 4, 4;", "=r,r"(i32 %a)
  ret i32 %d
}
