; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; -time-passes lists each step by its name.
; RUN: %cohort=cohort-undefined-values,cohort-device-arithmetic -time-passes -disable-output %s 2>&1 | FileCheck %s
; CHECK-DAG: cohort-undefined-values
; CHECK-DAG: cohort-device-arithmetic
define i32 @f(i32 %x) {
  ret i32 %x
}
