; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The table of variables has each size without padding, and marks constants and variables with a copy for each device.
; RUN: %cohort=cohort-device-variables,cohort-module-tables %s | FileCheck %s
; CHECK: @cohort.variables = private constant [2 x { ptr, ptr, i64, i32 }] [{{.*}} ptr @c, i64 4, i32 1 }, {{.*}} ptr @v, i64 12, i32 4 }]
@c = constant i32 1
@v = global [3 x i32] [i32 1, i32 2, i32 3]
!cohort.variables = !{!0, !1}
!0 = !{!"c", !"constant"}
!1 = !{!"v"}
