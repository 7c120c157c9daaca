; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The mask of a nested branch is a select, not an and: the condition of an inactive lane may be poison.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[OUTER:%.+]] = icmp sgt <32 x i32>
; CHECK: [[INNER:%.+]] = icmp ult <32 x i32>
; CHECK: select <32 x i1> [[OUTER]], <32 x i1> [[INNER]], <32 x i1> zeroinitializer
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr i32, ptr %q, i64 %i
  %a = load i32, ptr %from
  %c = icmp sgt i32 %a, %n
  br i1 %c, label %then, label %end
then:
  %w = sext i32 %a to i64
  %second = getelementptr i32, ptr %q, i64 %w
  %b = load i32, ptr %second
  %d = icmp ult i32 %b, 50
  br i1 %d, label %inner, label %end
inner:
  %to = getelementptr i32, ptr %p, i64 %i
  store volatile i32 %b, ptr %to
  br label %end
end:
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
