; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel with large local variables has no gangs.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-NOT: define internal void @cohort.block.k
; CHECK: attributes {{.*}} = { "cohort-no-gangs"=": its local variables are too large" }
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %array = alloca [300 x i32]
  %own = getelementptr i32, ptr %array, i32 %n
  store volatile i32 %x, ptr %own
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
