; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Without -rdc=true, a device function that is used but not defined is an error.
; RUN: not %cohort=cohort-rename-symbols %s 2>&1 | FileCheck %s
; CHECK: device function 'elsewhere' is not defined in this file; compile all files of the program with -rdc=true
declare void @elsewhere()
define void @f() {
  call void @elsewhere()
  ret void
}
!cohort.undefined_device = !{!0}
!0 = !{!"elsewhere"}
