; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; In a large source a kernel that waits in a loop has one version, for the last CPU, and a kernel that gains less has
; none. The code that @adds calls makes the source large.
; RUN: %cohort=cohort-module-tables,cohort-gangs,cohort-thread-loops %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare void @cohort_wait_block()
; CHECK: kernel 'waits' runs 32 threads at once; the source is too large for further versions; blocks of other shapes
; CHECK-SAME: than rows of 32 threads have a stack for each thread; versions: 32 threads of a row{{$}}
; CHECK: kernel 'adds' runs as a loop over the threads of a block: the source is large, and other kernels gain more by
; CHECK-SAME: gangs
; CHECK: @cohort.gangs.waits = private constant [1 x
; CHECK-NOT: @cohort.gangs.
define i32 @add(i32 %x) {
  %a = mul i32 %x, 3
  %b = xor i32 %a, 4
  %c = mul i32 %b, 5
  %d = xor i32 %c, 6
  %e = mul i32 %d, 7
  %f = xor i32 %e, 8
  %g = mul i32 %f, 9
  ret i32 %g
}
define i32 @add7(i32 %x) {
  %a = call i32 @add(i32 %x)
  %b = call i32 @add(i32 %a)
  %c = call i32 @add(i32 %b)
  %d = call i32 @add(i32 %c)
  %e = call i32 @add(i32 %d)
  %f = call i32 @add(i32 %e)
  %g = call i32 @add(i32 %f)
  ret i32 %g
}
define i32 @add49(i32 %x) {
  %a = call i32 @add7(i32 %x)
  %b = call i32 @add7(i32 %a)
  %c = call i32 @add7(i32 %b)
  %d = call i32 @add7(i32 %c)
  %e = call i32 @add7(i32 %d)
  %f = call i32 @add7(i32 %e)
  %g = call i32 @add7(i32 %f)
  ret i32 %g
}
define void @adds(ptr %p, i32 %n) {
  %a = call i32 @add49(i32 %n)
  %b = call i32 @add49(i32 %a)
  %c = call i32 @add49(i32 %b)
  %d = call i32 @add49(i32 %c)
  %e = call i32 @add49(i32 %d)
  %f = call i32 @add49(i32 %e)
  %g = call i32 @add49(i32 %f)
  %h = call i32 @add49(i32 %g)
  %i = call i32 @add49(i32 %h)
  store i32 %i, ptr %p
  ret void
}
define void @waits(ptr %p, i32 %n) {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %place = getelementptr i32, ptr %p, i64 %i
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  store i32 %k, ptr %place
  call void @cohort_wait_block()
  %next = add i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret void
}
!cohort.cpus = !{!4}
!cohort.options = !{!0}
!cohort.kernels = !{!1, !2}
!0 = !{!"report"}
!1 = !{!"adds", !"adds", !3}
!2 = !{!"waits", !"waits", !3}
!3 = !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}
!4 = !{!"znver5", !"+avx512f,+avx512vl,+avx512bw,+avx512dq"}
