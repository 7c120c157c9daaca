; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; In data, a kernel becomes its stub, which for a kernel of another file is only declared; llvm.used keeps the kernel
; itself.
; RUN: %cohort=cohort-kernel-launches %s | FileCheck %s
declare void @k(i32)
define void @own() {
  ret void
}
@table = global [2 x ptr] [ptr @k, ptr @own]
@llvm.used = appending global [1 x ptr] [ptr @own], section "llvm.metadata"
; CHECK: @table = global [2 x ptr] [ptr @k.launch, ptr @own.launch]
; CHECK: @llvm.used = appending global [1 x ptr] [ptr @own]
; CHECK: define void @own.launch(ptr %0)
; CHECK: declare void @k.launch(ptr, i32)
!cohort.kernels = !{!0}
!0 = !{!"own", !"own", !{}, i32 1024, i32 0, i32 0, i32 0}
!cohort.undefined_kernels = !{!1}
!1 = !{!"k"}
