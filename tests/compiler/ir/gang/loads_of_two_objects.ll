; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A load from one of two objects becomes a load of adjacent elements on each side, by a branch or by a condition.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK-NOT: gather
; CHECK-COUNT-4: call <32 x i32> @llvm.masked.load
; CHECK-NOT: gather
; CHECK: store <32 x i32>
; CHECK-LABEL: attributes
define void @k(ptr noalias %p, ptr noalias %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr i32, ptr %q, i64 %i
  %c = icmp slt i32 %x, %n
  %one = select i1 %c, ptr %a, ptr %b
  %first = load i32, ptr %one
  %odd = and i32 %first, 1
  %d = icmp eq i32 %odd, 0
  br i1 %d, label %left, label %right
left:
  %l = getelementptr i8, ptr %a, i64 400
  br label %join
right:
  %r = getelementptr i8, ptr %b, i64 800
  br label %join
join:
  %other = phi ptr [ %l, %left ], [ %r, %right ]
  %second = load i32, ptr %other
  %sum = add i32 %first, %second
  %to = getelementptr i8, ptr %a, i64 1200
  store i32 %sum, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
