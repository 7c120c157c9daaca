; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; With -rdc=true, names keep their linkage and are hidden in each program or shared library.
; RUN: %cohort=cohort-rename-symbols %s | FileCheck %s
; CHECK: $f.device = comdat any
; CHECK: define linkonce_odr hidden void @f.device() comdat
; CHECK: define internal void @local.device()
; CHECK: declare hidden void @elsewhere.device()
$f = comdat any
define linkonce_odr void @f() comdat {
  call void @local()
  ret void
}
define void @local() {
  call void @elsewhere()
  ret void
}
declare void @elsewhere()
!cohort.options = !{!0}
!cohort.local_functions = !{!1}
!cohort.undefined_device = !{!2}
!0 = !{!"rdc"}
!1 = !{!"local"}
!2 = !{!"elsewhere"}
