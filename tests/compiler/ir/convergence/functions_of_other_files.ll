; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; With -rdc=true a function of another file may reach a site.
; RUN: %cohort=cohort-converging-sites %s | FileCheck %s
declare void @elsewhere.device()
define void @f() {
; CHECK-LABEL: @f(
; CHECK: store ptr @cohort.path, ptr
; CHECK: notail call void @elsewhere.device()
  call void @elsewhere.device()
  ret void
}
!cohort.options = !{!0}
!0 = !{!"rdc"}
