; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A barrier of the whole warp vanishes in a gang of one warp.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
@name = constant [5 x i8] c"sync\00"
declare void @cohort_wait_warp(i32, ptr, ptr, ptr)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: gang2:
; CHECK-NOT: call
; CHECK: store <32 x i32>
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %x, ptr %to
  call void @cohort_wait_warp(i32 -1, ptr null, ptr null, ptr @name)
  store i32 %n, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
