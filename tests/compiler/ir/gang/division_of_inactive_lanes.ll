; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An inactive lane divides by 1: its divisor may be zero.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[LANES:%.+]] = icmp sgt <32 x i32> [[A:%.+]],
; CHECK: select <32 x i1> [[LANES]], <32 x i32> [[A]], <32 x i32> <i32 1, i32 1,
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr i32, ptr %q, i64 %i
  %a = load i32, ptr %from
  %c = icmp sgt i32 %a, %n
  br i1 %c, label %then, label %end
then:
  %r = udiv i32 %n, %a
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %r, ptr %to
  br label %end
end:
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
