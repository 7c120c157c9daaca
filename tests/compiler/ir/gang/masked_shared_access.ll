; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Without mask registers, shared memory is accessed unmasked: a store writes back the old values of inactive lanes, and
; has no alias facts. Other memory is accessed only by active lanes.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare ptr @cohort_static_shared()
; CHECK-LABEL: define internal void @cohort.block.with(
; CHECK: call <32 x i32> @llvm.masked.load.v32i32.p0(
; CHECK: call void @llvm.masked.store.v32i32.p0(
; CHECK: call void @llvm.masked.store.v32i32.p0(
; CHECK-LABEL: define internal void @cohort.block.without(
; CHECK: [[A:%.+]] = load <32 x i32>, ptr [[FROM:%[^,]+]], align 4{{$}}
; CHECK: [[BEFORE:%.+]] = load <32 x i32>, ptr [[TO:%[^,]+]], align 4{{$}}
; CHECK: [[BLEND:%.+]] = select <32 x i1> [[MASK:%[^,]+]], <32 x i32> [[A]], <32 x i32> [[BEFORE]]
; CHECK: store <32 x i32> [[BLEND]], ptr [[TO]], align 4{{$}}
; CHECK: call void @llvm.masked.store.v32i32.p0(<32 x i32> [[A]], ptr {{.+}}, i32 4, <32 x i1> [[MASK]])
define void @without(ptr %p, i32 %n) "target-features"="+avx2" {
  %shared = call ptr @cohort_static_shared()
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %c = icmp ult i32 %x, %n
  br i1 %c, label %then, label %end
then:
  %from = getelementptr i32, ptr %shared, i64 %i
  %a = load i32, ptr %from, !tbaa !4
  %to = getelementptr i8, ptr %from, i64 4096
  store i32 %a, ptr %to, !tbaa !4
  %out = getelementptr i32, ptr %p, i64 %i
  store i32 %a, ptr %out
  br label %end
end:
  ret void
}
define void @with(ptr %p, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %shared = call ptr @cohort_static_shared()
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %c = icmp ult i32 %x, %n
  br i1 %c, label %then, label %end
then:
  %from = getelementptr i32, ptr %shared, i64 %i
  %a = load i32, ptr %from
  %to = getelementptr i8, ptr %from, i64 4096
  store i32 %a, ptr %to
  %out = getelementptr i32, ptr %p, i64 %i
  store i32 %a, ptr %out
  br label %end
end:
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1, !2}
!0 = !{!"gangs=force=32"}
!1 = !{!"without", !"without", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
!2 = !{!"with", !"with", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6}
!6 = !{!"tree"}
