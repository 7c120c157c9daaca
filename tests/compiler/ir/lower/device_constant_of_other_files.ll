; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; With -rdc=true a constant that other files can use has a copy for each device, because a declaration does not show
; whether its value holds an address.
; RUN: %cohort=cohort-device-variables %s | FileCheck %s
@seen = constant i32 7
@hidden = internal constant i32 7
; CHECK: @seen = externally_initialized global <{ i32, [16 x i8] }>
; CHECK: @hidden = internal constant i32 7
define i32 @f() {
  %x = load i32, ptr @seen
  %y = load i32, ptr @hidden
  %s = add i32 %x, %y
  ret i32 %s
}
!cohort.options = !{!0}
!cohort.variables = !{!1, !2}
!0 = !{!"rdc"}
!1 = !{!"seen", !"constant", !"visible"}
!2 = !{!"hidden", !"constant"}
