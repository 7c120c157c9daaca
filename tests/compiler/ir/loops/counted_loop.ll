; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop with a counter is known to end, also where it accesses volatile memory.
; RUN: %cohort=cohort-spin-loops %s | FileCheck %s
; CHECK-NOT: cohort_wait_yield
define void @f(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  store volatile i32 %i, ptr %p
  %j = add i32 %i, 1
  %again = icmp ult i32 %j, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
