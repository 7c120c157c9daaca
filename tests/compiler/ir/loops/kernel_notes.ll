; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An ELF note lists each kernel with the ways to run it.
; RUN: %cohort=cohort-module-tables,cohort-thread-loops,cohort-kernel-notes %s | FileCheck %s
; CHECK: @cohort.kernel.note = private constant {{.*}}c"k()\09thread loop\0A{{.*}}section ".note.cohort"
declare i32 @cohort_thread_index(i32)
define void @_Z1kv() {
  ret void
}
!cohort.kernels = !{!0}
!0 = !{!"_Z1kv", !"k", !{}}
