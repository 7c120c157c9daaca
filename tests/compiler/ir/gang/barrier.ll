; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel that waits gets functions for the engine; its barrier is one call for all lanes of the gang.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare void @cohort_wait_block()
; CHECK: @cohort.kernel.k = private global {{.*}} ptr @cohort.thread.k, ptr null, {{.*}} ptr @cohort.gangs.k, i32 2,
; CHECK: @cohort.gangs.k = private constant [2 x { ptr, i32, i32, i32, i32 }]
; CHECK: define internal void @cohort.gang.k(
; CHECK: {{.*}}store <32 x i32>
; CHECK: call {{.*}}void @cohort_gang_wait_block{{.*}}(ptr null)
; CHECK: {{.*}}store <32 x i32>
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %x, ptr %to
  call void @cohort_wait_block()
  %from = getelementptr i32, ptr %q, i64 %i
  store i32 %x, ptr %from
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
