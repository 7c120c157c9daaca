; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A use of the host's functions in generated device code ends the pass with an error.
; RUN: not %cohort=cohort-host-references %s 2>&1 | FileCheck %s
; CHECK: device code refers to the host in 'host_function'
declare void @host_function()
define void @k() {
  call void @host_function()
  ret void
}
!cohort.host_symbols = !{!0}
!0 = !{!"host_function"}
