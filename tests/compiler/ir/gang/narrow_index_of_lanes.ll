; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop over the lanes reads narrow indices and extends each, instead of making a vector of addresses.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[BYTES:%.+]] = load <32 x i8>, ptr
; CHECK-NOT: zext <32 x i8>
; CHECK: store <32 x i8> [[BYTES]], ptr
; CHECK: [[BYTE:%.+]] = load i8, ptr
; CHECK: [[INDEX:%.+]] = zext i8 [[BYTE]] to i64
; CHECK: [[AT:%.+]] = getelementptr i32, ptr {{%.+}}, i64 [[INDEX]]
; CHECK: atomicrmw add ptr [[AT]], i32 1 monotonic
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr i8, ptr %p, i64 %i
  %byte = load i8, ptr %from
  %index = zext i8 %byte to i64
  %count = getelementptr i32, ptr %q, i64 %index
  %a = atomicrmw add ptr %count, i32 1 monotonic
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
