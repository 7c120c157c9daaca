; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; AVX2 gathers words by indices of 32 bits, without a vector of addresses.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[LOADED:%.+]] = load <32 x i32>, ptr
; CHECK: [[INDEX:%.+]] = xor <32 x i32> [[LOADED]],
; CHECK: [[PART:%.+]] = shufflevector <32 x i32> [[INDEX]], <32 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3,
; CHECK: call <8 x float> @llvm.x86.avx2.gather.d.ps.256(<8 x float> zeroinitializer, ptr %{{.+}}, <8 x i32> [[PART]], {{.*}}, i8 4)
; CHECK-NOT: alloca
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx2" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr i32, ptr %q, i64 %i
  %a = load i32, ptr %from
  %mixed = xor i32 %a, 5
  %index = sext i32 %mixed to i64
  %place = getelementptr i32, ptr %q, i64 %index
  %b = load i32, ptr %place
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %b, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
