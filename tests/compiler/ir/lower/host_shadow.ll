; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; In the host pass with -rdc=true, a visible device variable has one shadow in the program.
; RUN: %cohort=cohort-host-variables %s | FileCheck %s
@v = internal global i32 undef
@w = internal global i32 undef
; CHECK: @v = weak hidden global i32 undef
; CHECK: @w = internal global i32 undef
!cohort.options = !{!0}
!cohort.variables = !{!1, !2}
!0 = !{!"host", !"rdc"}
!1 = !{!"v", !"visible"}
!2 = !{!"w"}
