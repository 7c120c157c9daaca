; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; With -rdc=true a visible managed variable exists once in the program: its symbol has no id.
; RUN: %cohort=cohort-managed-variables %s | FileCheck %s
@m = external global i32, section ".cohort.managed"
; CHECK: @m.managed = external hidden global i32
define void @f() {
  store i32 1, ptr @m
  ret void
}
!cohort.options = !{!0}
!cohort.variables = !{!1}
!0 = !{!"id=7f", !"rdc"}
!1 = !{!"m", !"visible"}
