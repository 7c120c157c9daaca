; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A divergent branch is taken if any lane takes it, and the mask of its lanes covers the stores.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[LANES:%.+]] = icmp sgt <32 x i32>
; CHECK: [[BITS:%.+]] = bitcast <32 x i1> [[LANES]] to i32
; CHECK: [[NONE:%.+]] = icmp eq i32 [[BITS]], 0
; CHECK: br i1 [[NONE]], label %gang.next, label %then
; CHECK: call void @llvm.masked.store.v32i32.p0(<32 x i32> {{%.+}}, ptr %to{{.*}}, i32 4, <32 x i1> [[LANES]])
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr i32, ptr %q, i64 %i
  %a = load i32, ptr %from
  %c = icmp sgt i32 %a, %n
  br i1 %c, label %then, label %end
then:
  %s = mul i32 %a, %a
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %s, ptr %to
  br label %end
end:
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
