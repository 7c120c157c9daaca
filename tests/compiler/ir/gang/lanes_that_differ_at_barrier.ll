; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A barrier that only some lanes may reach gets the mask of the lanes that call it.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare void @cohort_wait_block()
; CHECK: call {{.*}}void @cohort_gang_wait_block{{.*}}(ptr nonnull %{{.+}})
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr i32, ptr %q, i64 %i
  %a = load i32, ptr %from
  %c = icmp sgt i32 %a, %n
  br i1 %c, label %then, label %end
then:
  ret void
end:
  call void @cohort_wait_block()
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %a, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
