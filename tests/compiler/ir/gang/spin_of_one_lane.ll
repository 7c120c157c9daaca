; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that polls memory suspends the gang in each iteration, if one lane runs it and the others wait at a barrier.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare void @cohort_wait_block()
; CHECK: define internal void @cohort.gang.k(
; CHECK: call void @cohort_gang_wait_yield(ptr nonnull %{{.+}})
; CHECK: call {{.*}}void @cohort_gang_wait_block{{.*}}(ptr null)
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %first = icmp eq i32 %x, %n
  br i1 %first, label %loop, label %join
loop:
  %a = load volatile i32, ptr %q
  %again = icmp eq i32 %a, 0
  br i1 %again, label %loop, label %leave
leave:
  store i32 %a, ptr %q
  br label %join
join:
  call void @cohort_wait_block()
  %i = zext i32 %x to i64
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %x, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
