; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Registers are SSA values after the step, also in functions that are not optimized.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
; CHECK-NOT: alloca
define i32 @f(i32 %a) noinline optnone {
; CHECK: ret i32 %a
  %d = call i32 asm "{ .reg .u32 t; mov.u32 t, $1; mov.u32 $0, t; }", "=r,r"(i32 %a)
  ret i32 %d
}
