; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel that waits and scatters in a loop has a version for blocks of 16 threads. The engine gets its masks as words.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare void @cohort_wait_block()
; CHECK: @cohort.gangs.k = private constant {{.*}}i32 32, i32 12, i32 {{[0-9]+}}, i32 16 }
; CHECK: %[[bits:.+]] = bitcast <16 x i1> %{{.+}} to i16
; CHECK: %[[word:.+]] = zext i16 %[[bits]] to i32
; CHECK: store i32 %[[word]], ptr %[[mask:.+]], align 4
; CHECK: call void @cohort_gang_wait_block(ptr {{.*}}%[[mask]])
define void @k(ptr %p, i32 %n, i32 %turns) "target-features"="+avx2" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %exists = icmp ult i32 %x, %n
  br i1 %exists, label %loop, label %done
loop:
  %turn = phi i32 [ 0, %0 ], [ %next, %loop ]
  %row = mul i32 %turn, 17
  %start = zext i32 %row to i64
  %j = mul i64 %i, 17
  %k = add i64 %j, %start
  %to = getelementptr i32, ptr %p, i64 %k
  %a = load i32, ptr %to
  %b = mul i32 %a, %a
  %c = add i32 %b, %x
  store i32 %c, ptr %to
  call void @cohort_wait_block()
  %next = add nuw i32 %turn, 1
  %more = icmp ult i32 %next, %turns
  br i1 %more, label %loop, label %done
done:
  ret void
}
!cohort.kernels = !{!0}
!0 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
