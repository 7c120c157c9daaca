; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions that the compiler generates have no checks.
; RUN: %cohort=cohort-instrument-accesses %s | FileCheck %s
; CHECK-NOT: __tsan
define void @cohort.thread.k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
!cohort.options = !{!0}
!0 = !{!"check=race"}
