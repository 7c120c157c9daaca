; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Without a forced width, a kernel that gains too little by running lanes together has no gangs.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK: attributes {{.*}} = { "cohort-no-gangs"=": gangs would gain nothing" }
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx2,+avx" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr i32, ptr %q, i64 %i
  %a = load i32, ptr %from
  %index = sext i32 %a to i64
  %to = getelementptr i32, ptr %p, i64 %index
  %b = atomicrmw add ptr %to, i32 1 monotonic
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"report"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
