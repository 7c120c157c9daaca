; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Adjacent numbers divided by one number: a shift for a power of two, one division between two multiples, doubles
; elsewhere.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[SHIFT:%.+]] = call {{.*}}i32 @llvm.cttz.i32(i32 %{{.+}}, i1
; CHECK: [[ALL:%.+]] = insertelement <32 x i32> poison, i32 [[SHIFT]], i64 0
; CHECK: lshr <32 x i32>
; CHECK: = udiv i32
; CHECK: icmp ugt i32 %{{.+}}, 31
; CHECK: fdiv <32 x double>
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %row = udiv i32 %x, %n
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %row, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
