; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Adjacent loads are one access as far as their alignment is known; without optimization they stay apart.
; RUN: %cohort=cohort-count %s | FileCheck %s
; RUN: %cohort='cohort-count<O0>' %s | FileCheck %s --check-prefix=APART
; CHECK-DAG: private global {{.*}} i32 16, i32 0, i32 0 }
; CHECK-DAG: private global {{.*}} i32 4, i32 0, i32 0 }
define float @f(ptr %p, ptr %q) {
; CHECK-LABEL: @f(
; CHECK-COUNT-3: call void @cohort_count_access
; CHECK-NOT: call void @cohort_count_access
; APART-LABEL: @f(
; APART-COUNT-6: call void @cohort_count_access
  %p1 = getelementptr i8, ptr %p, i64 4
  %p2 = getelementptr i8, ptr %p, i64 8
  %p3 = getelementptr i8, ptr %p, i64 12
  %a = load float, ptr %p, align 16
  %b = load float, ptr %p1, align 4
  %c = load float, ptr %p2, align 4
  %d = load float, ptr %p3, align 4
  %q1 = getelementptr i8, ptr %q, i64 4
  %e = load float, ptr %q, align 4
  %g = load float, ptr %q1, align 4
  ret float %g
}
!cohort.options = !{!0}
!0 = !{!"count"}
