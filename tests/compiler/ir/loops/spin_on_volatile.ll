; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop whose exit depends on a volatile access yields in each iteration.
; RUN: %cohort=cohort-spin-loops %s | FileCheck %s
define void @f(ptr %flag) {
; CHECK-LABEL: @f(
; CHECK: load volatile
; CHECK: call void @cohort_wait_yield()
; CHECK-NEXT: br i1
entry:
  br label %loop
loop:
  %x = load volatile i32, ptr %flag
  %again = icmp eq i32 %x, 0
  br i1 %again, label %loop, label %end
end:
  ret void
}
