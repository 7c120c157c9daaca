; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; In a large source, a loop over a mathematical function gains more from gangs than a loop over integer operations.
; RUN: %cohort=cohort-module-tables,cohort-gangs,cohort-thread-loops %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare float @Sleef_finz_expf1_u10purecfma(float) memory(none) nounwind willreturn
; CHECK: kernel 'exps' runs 64 threads at once
; CHECK: kernel 'adds' runs as a loop over the threads of a block: the source is large, and other kernels gain more by
; CHECK-SAME: gangs
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
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %a = call i32 @add49(i32 %k)
  %b = call i32 @add49(i32 %a)
  %c = call i32 @add49(i32 %b)
  %d = call i32 @add49(i32 %c)
  %e = call i32 @add49(i32 %d)
  %f = call i32 @add49(i32 %e)
  %g = call i32 @add49(i32 %f)
  %h = call i32 @add49(i32 %g)
  %i = call i32 @add49(i32 %h)
  store i32 %i, ptr %p
  %next = add i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret void
}
define void @exps(ptr %p, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq,+fma" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %place = getelementptr float, ptr %p, i64 %i
  %start = load float, ptr %place
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %v = phi float [ %start, %0 ], [ %e, %loop ]
  %e = call float @Sleef_finz_expf1_u10purecfma(float %v)
  %next = add i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  store float %e, ptr %place
  ret void
}
!cohort.cpus = !{!4}
!cohort.options = !{!0}
!cohort.kernels = !{!1, !2}
!0 = !{!"report"}
!1 = !{!"adds", !"adds", !3}
!2 = !{!"exps", !"exps", !3}
!3 = !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}
!4 = !{!"znver5", !"+avx2,+fma,+avx512f,+avx512vl,+avx512bw,+avx512dq"}
