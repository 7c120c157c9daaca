; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An atomic operation runs for each lane.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[REST:%.+]] = phi i32 [ -1, %gang2 ]
; CHECK: [[LANE:%.+]] = call {{.*}}i32 @llvm.cttz.i32(i32 [[REST]], i1 true)
; CHECK: [[X:%.+]] = or disjoint i32 {{%.+}}, [[LANE]]
; CHECK: [[A:%.+]] = atomicrmw add ptr {{%.+}}, i32 [[X]] monotonic
; CHECK: insertelement <32 x i32> poison, i32 [[A]], i64 0
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %a = atomicrmw add ptr %q, i32 %x monotonic
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %a, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
