; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel whose arguments differ from clang's convention is an error.
; RUN: not %cohort=cohort-module-tables %s 2>&1 | FileCheck %s
; CHECK: the parameters of kernel 'k' are passed in an unknown way
define void @k(ptr %p) {
  ret void
}
!cohort.kernels = !{!0}
!0 = !{!"k", !"k", !{}}
