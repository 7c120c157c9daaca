; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Operations without branches are the same operations of vectors.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare float @llvm.sqrt.f32(float)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[S:%.+]] = fmul <32 x float> {{%.+}}, <float 3.000000e+00,
; CHECK: call <32 x float> @llvm.sqrt.v32f32(<32 x float> [[S]])
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr float, ptr %q, i64 %i
  %a = load float, ptr %from
  %s = fmul float %a, 3.0
  %r = call float @llvm.sqrt.f32(float %s)
  %to = getelementptr float, ptr %p, i64 %i
  store float %r, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
