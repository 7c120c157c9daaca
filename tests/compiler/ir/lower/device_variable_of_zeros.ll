; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A device variable that starts as zeros stays in .bss, where it takes no space in the file.
; RUN: %cohort=cohort-device-variables %s | FileCheck %s
@v = global i32 0
; CHECK: @v = externally_initialized global <{ i32, [16 x i8] }> zeroinitializer, align 4
; CHECK: @cohort_variables_anchor = linkonce_odr hidden global i64 1, section "cohort_variables", comdat
define void @f() {
  store i32 1, ptr @v
  ret void
}
