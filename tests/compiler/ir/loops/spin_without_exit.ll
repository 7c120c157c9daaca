; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop without exit yields.
; RUN: %cohort=cohort-spin-loops %s | FileCheck %s
define void @f() {
; CHECK: loop:
; CHECK-NEXT: call void @cohort_wait_yield()
entry:
  br label %loop
loop:
  br label %loop
}
