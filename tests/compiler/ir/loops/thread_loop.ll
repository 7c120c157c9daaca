; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel that cannot wait gets a second entry: loops over z, y and x, of which x is the innermost.
; RUN: %cohort=cohort-module-tables,cohort-thread-loops %s | FileCheck %s
; CHECK: @cohort.kernel.k = private global {{.*}} ptr @cohort.thread.k, ptr @cohort.block.k,
declare i32 @cohort_thread_index(i32)
define void @k(ptr %p) {
  %x = call i32 @cohort_thread_index(i32 0)
  %place = getelementptr i32, ptr %p, i32 %x
  store i32 %x, ptr %place
  ret void
}
; CHECK: define internal void @cohort.block.k(ptr {{.*}}) [[LOOP:#[0-9]+]]
; CHECK: store i32 {{.*}}, !llvm.access.group
; CHECK: attributes [[LOOP]] = { {{.*}}"cohort-thread-loop"
!cohort.kernels = !{!0}
!0 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}}}
