; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A constant exists once for all devices, unless it holds the address of a device variable.
; RUN: %cohort=cohort-device-variables %s | FileCheck %s
@number = constant i32 7
@address = constant ptr @v
@v = global i32 1
; CHECK: @number = constant i32 7
; CHECK: @address = externally_initialized global <{ ptr, [16 x i8] }>
; CHECK: !cohort.places = !{[[PLACES:![0-9]+]]}
; CHECK: [[PLACES]] = !{ptr @address}
define ptr @f() {
  %x = load i32, ptr @number
  %p = load ptr, ptr @address
  ret ptr %p
}
