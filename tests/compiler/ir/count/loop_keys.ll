; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The key of an access in a loop grows in each iteration, from a product of the key outside.
; RUN: %cohort=cohort-count %s | FileCheck %s
define void @f(ptr %p, i32 %n) {
; CHECK-LABEL: @f(
; CHECK: entry:
; CHECK: %cohort.key = mul i64 {{.*}}, -7046029254386353131
; CHECK: loop:
; CHECK-NEXT: %cohort.iteration = phi i64
; CHECK: call void @cohort_count_access({{.*}}, i64 %cohort.iteration, i32 %cohort.thread)
; CHECK: add i64 %cohort.iteration, 1
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
!cohort.options = !{!0}
!0 = !{!"count"}
