; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A failure of the launch ends all lanes of the gang, so no lane of it misses the barriers that follow, and a loop keeps
; its one exit.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare void @cohort_wait_block()
declare void @cohort_fail(i32, ptr, ...) noreturn
; CHECK-LABEL: define internal void @cohort.gang.k(
; CHECK: call void (i32, ptr, ...) @cohort_fail(i32 716, ptr null)
; CHECK-NEXT: unreachable
; CHECK: call {{.*}}void @cohort_gang_wait_block{{.*}}(ptr null)
define void @k(ptr %p, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %place = getelementptr i32, ptr %p, i64 %i
  br label %loop
loop:
  %turn = phi i32 [ 0, %0 ], [ %next, %go ]
  %a = load i32, ptr %place
  %wrong = icmp sgt i32 %a, %turn
  br i1 %wrong, label %fail, label %go
fail:
  call void (i32, ptr, ...) @cohort_fail(i32 716, ptr null)
  unreachable
go:
  store i32 %turn, ptr %place
  call void @cohort_wait_block()
  %next = add i32 %turn, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
