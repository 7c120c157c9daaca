; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A further CPU has a block entry of its own with the instructions of that CPU.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK: @cohort.kernel.k = private global {{.*}} ptr @cohort.block.k,
; CHECK: @cohort.kernel.k.{{[0-9]+}} = private global {{.*}} ptr @cohort.block.k.{{[0-9]+}},
; CHECK: attributes {{.*}}"target-cpu"="znver5" "target-features"="+avx512f"
define void @k(ptr %p, ptr %q, i32 %n)  {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %n, ptr %to
  ret void
}
!cohort.cpus = !{!2}
!2 = !{!"znver5", !"+avx512f"}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
