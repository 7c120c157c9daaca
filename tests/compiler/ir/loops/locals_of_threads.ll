; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Accesses of a kernel whose threads have memory of their own are not marked as independent.
; RUN: %cohort=cohort-module-tables,cohort-thread-loops %s | FileCheck %s
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK-NOT: !llvm.access.group
declare i32 @cohort_thread_index(i32)
define void @k(ptr %p, i32 %i) {
  %array = alloca [8 x i32]
  %x = call i32 @cohort_thread_index(i32 0)
  %own = getelementptr i32, ptr %array, i32 %i
  store i32 %x, ptr %own
  %last = getelementptr i32, ptr %array, i32 7
  %y = load i32, ptr %last
  store i32 %y, ptr %p
  ret void
}
!cohort.kernels = !{!0}
!0 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
