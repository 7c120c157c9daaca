; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The index of a thread in the grid is linear over the lanes, also when it is extended to 64 bits.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare i32 @cohort_block_index(i32)
declare i32 @cohort_block_dim(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK-NOT: scatter
; CHECK: store <32 x i32>
; CHECK-NOT: scatter
; CHECK: any:
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %b = call i32 @cohort_block_index(i32 0)
  %d = call i32 @cohort_block_dim(i32 0)
  %first = mul i32 %b, %d
  %g = add i32 %first, %x
  %i = sext i32 %g to i64
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %n, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
