; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A managed variable lies between two pages of padding; its symbol has the id of the translation unit.
; RUN: %cohort=cohort-managed-variables %s | FileCheck %s
@m = internal global i32 3, section ".cohort.managed"
; CHECK: @m.managed.7f.padded = private externally_initialized global <{ [4096 x i8], i32, [8188 x i8] }> {{.*}}, align 4096
; CHECK: @m.managed.7f = hidden alias i32, getelementptr inbounds (i8, ptr @m.managed.7f.padded, i64 4096)
define void @f() {
  store i32 1, ptr @m
  ret void
}
!cohort.options = !{!0}
!0 = !{!"id=7f"}
