; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Sanitizers do not check masked accesses, so kernels with a sanitizer have no gangs.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-NOT: define internal void @cohort.block.k
; CHECK: @cohort.kernel.k = private global {{.*}} #[[TABLE:[0-9]+]]
; CHECK-NOT: define internal void @cohort.block.k
; CHECK: attributes #[[TABLE]] = { "cohort-no-gangs"=": sanitizers do not check masked accesses" }
define void @k(ptr %p, ptr %q, i32 %n) sanitize_address {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %n, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
