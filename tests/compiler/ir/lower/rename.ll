; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Without -rdc=true, a symbol of the device pass is renamed and becomes private to the file.
; RUN: %cohort=cohort-rename-symbols %s | FileCheck %s
; CHECK: define internal void @f.device()
; CHECK: call void @f.device()
; CHECK: declare void @cohort_wait_block()
$f = comdat any
define linkonce_odr void @f() comdat {
  call void @cohort_wait_block()
  ret void
}
define void @g() {
  call void @f()
  ret void
}
declare void @cohort_wait_block()
