; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A switch becomes branches, each with the mask of the lanes that take it.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK-NOT: switch
; CHECK-DAG: icmp eq <32 x i32> {{%.+}}, <i32 3, i32 3,
; CHECK-DAG: icmp eq <32 x i32> {{%.+}}, <i32 9, i32 9,
; CHECK: any:
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr i32, ptr %q, i64 %i
  %a = load i32, ptr %from
  %to = getelementptr i32, ptr %p, i64 %i
  switch i32 %a, label %end [ i32 3, label %three
                              i32 9, label %nine ]
three:
  store volatile i32 30, ptr %to
  br label %end
nine:
  store volatile i32 90, ptr %to
  br label %end
end:
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
