; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Under --check no parameter has an alignment: the optimizer would remove the tests of what it promises.
; RUN: %cohort=cohort-access-alignments %s | FileCheck %s
define void @f(ptr align 8 %p, ptr byval(i64) align 32 %q) {
; CHECK: define void @f(ptr %p, ptr byval(i64) align 32 %q)
  ret void
}
!cohort.options = !{!0}
!0 = !{!"check=race"}
