; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; In the host pass a managed variable is only a reference to the device object's variable.
; RUN: %cohort=cohort-host-variables %s | FileCheck %s
@m = internal global i32 3, section ".cohort.managed"
; CHECK: @m.managed.7f = external hidden global i32
define void @f() {
  store i32 1, ptr @m
  ret void
}
!cohort.options = !{!0}
!0 = !{!"host", !"id=7f"}
