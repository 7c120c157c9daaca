; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An access calls the counters before it; one of a local variable does not.
; RUN: %cohort=cohort-count %s | FileCheck %s
; CHECK: @cohort.count.site = private global {{.*}} i32 4, i32 1, i32 0 }
define void @f(ptr %p) {
; CHECK-LABEL: @f(
; CHECK: %[[KEY:.*]] = load i64, ptr
; CHECK: call void @cohort_count_access(ptr @cohort.count.site, ptr %p, i64 %[[KEY]], i32 %cohort.thread)
; CHECK-NEXT: store i32 1, ptr %p
; CHECK-NOT: call void @cohort_count_access
  %local = alloca i32
  store i32 1, ptr %p
  store i32 1, ptr %local
  ret void
}
!cohort.options = !{!0}
!0 = !{!"count"}
