; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A mathematical function is called for vectors of lanes, in the form that the CPU allows.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare float @Sleef_finz_sinf1_u10purecfma(float) memory(none) nounwind willreturn
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK-COUNT-2: call <16 x float> @Sleef_finz_sinf16_u10avx512f(<16 x float>
; CHECK: any:
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq,+fma" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr float, ptr %q, i64 %i
  %a = load float, ptr %from
  %s = call float @Sleef_finz_sinf1_u10purecfma(float %a)
  %to = getelementptr float, ptr %p, i64 %i
  store float %s, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
