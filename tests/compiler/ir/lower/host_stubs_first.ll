; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The constructor that registers the stubs of kernels runs before all others, which may launch them.
; RUN: %cohort=cohort-stubs-first %s | FileCheck %s
; CHECK: { i32 65535, ptr @other, ptr null }, { i32, ptr, ptr } { i32 0, ptr @__cuda_module_ctor, ptr null }
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @other, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @__cuda_module_ctor, ptr null }]
define void @other() {
  ret void
}
define void @__cuda_module_ctor() {
  ret void
}
!cohort.options = !{!0}
!0 = !{!"host"}
