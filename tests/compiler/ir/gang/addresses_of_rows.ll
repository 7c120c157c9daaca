; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Rows that run together access memory at constant distances from one address, also where they run one after another.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare void @cohort_wait_block(ptr)
; CHECK-LABEL: define internal void @cohort.gang.k{{.*}}(
; CHECK: [[LOW:%.+]] = getelementptr [32 x float]
; CHECK-DAG: getelementptr i8, ptr [[LOW]], i64 128
; CHECK-DAG: getelementptr i8, ptr [[LOW]], i64 256
; CHECK-DAG: getelementptr i8, ptr [[LOW]], i64 384
; CHECK: call void @cohort_gang_wait_block
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %y = call i32 @cohort_thread_index(i32 1)
  %column = zext i32 %x to i64
  %row = zext i32 %y to i64
  %exists = icmp slt i32 %y, %n
  br i1 %exists, label %then, label %end
then:
  %to = getelementptr [32 x float], ptr %p, i64 %row, i64 %column
  %a = load float, ptr %to
  %twice = fadd float %a, %a
  store float %twice, ptr %to
  br label %end
end:
  call void @cohort_wait_block(ptr null)
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=all"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
