; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A failed assertion ends its lane; the others of the gang run on.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare void @cohort_fail_assert(ptr, ptr, i32, ptr) noreturn
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: call void @cohort_gang_fail_assert(
; CHECK: call void @llvm.masked.store.v32i32
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr i32, ptr %q, i64 %i
  %a = load i32, ptr %from
  %c = icmp sgt i32 %a, %n
  br i1 %c, label %then, label %end
then:
  call void @cohort_fail_assert(ptr null, ptr null, i32 1, ptr null)
  unreachable
end:
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %a, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
