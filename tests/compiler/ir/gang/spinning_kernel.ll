; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes that have left a loop which may wait for other threads store before they wait: the loop has no form for gangs.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK: attributes {{.*}} = { "cohort-no-gangs"=": a loop may wait for other threads" }
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  br label %loop
loop:
  %from = getelementptr i32, ptr %q, i64 %i
  %a = load volatile i32, ptr %from
  %again = icmp eq i32 %a, 0
  br i1 %again, label %loop, label %end
end:
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %a, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
