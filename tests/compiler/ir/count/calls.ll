; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call of another function passes the caller's key on; each of two calls has its own.
; RUN: %cohort=cohort-count %s | FileCheck %s
define internal void @g(ptr %p) noinline {
  store i32 1, ptr %p
  ret void
}
define void @f(ptr %p) {
; CHECK-LABEL: @f(
; CHECK: add i64 %cohort.context, 1
; CHECK: store i64 %cohort.key, ptr %{{.*}}
; CHECK-NEXT: call void @g(ptr %p)
; CHECK: add i64 %cohort.context, 2
; CHECK: call void @g(ptr %p)
  call void @g(ptr %p)
  call void @g(ptr %p)
  ret void
}
!cohort.options = !{!0}
!0 = !{!"count"}
