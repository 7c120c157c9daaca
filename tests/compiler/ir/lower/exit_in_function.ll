; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An exit that was not inlined into its kernel is an error.
; RUN: not %cohort=cohort-exits %s 2>&1 | FileCheck %s
; CHECK: cohortcc cannot run the inline PTX 'exit' in a function that is recursive, variadic or called through a pointer
declare void @cohort_ptx_exit()
define void @f() {
  call void @cohort_ptx_exit()
  ret void
}
define void @k() {
  call void @f()
  ret void
}
