; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Each kernel gets an entry that unpacks its arguments, and a table; a constructor registers the module.
; RUN: %cohort=cohort-module-tables %s | FileCheck %s
; CHECK: @cohort.kernel.k = private global { ptr, ptr, ptr, i32, i32, i32, i32, ptr, [3 x i32], i32, ptr, i32, i32, i32, ptr, ptr } { ptr @cohort.text, ptr @cohort.thread.k, ptr null, i32 0, i32 256, i32 2, i32 0, ptr @cohort.parameters, [3 x i32] [i32 2, i32 1, i32 1], i32 0, ptr null, i32 0, i32 90, i32 0, ptr null, ptr null }
; CHECK: @llvm.global_ctors = {{.*}} { i32 0, ptr @cohort.register, ptr null }
define void @k(ptr %p, i32 %n) {
  ret void
}
; CHECK: define internal void @cohort.thread.k(ptr [[ALL:%.+]])
; CHECK: [[SLOT:%.+]] = getelementptr inbounds ptr, ptr [[ALL]], i64 0
; CHECK: [[ADDRESS:%.+]] = load ptr, ptr [[SLOT]], align 8, !invariant.load
; CHECK: [[BYTES:%.+]] = getelementptr inbounds i8, ptr [[ADDRESS]], i64 0
; CHECK: [[P:%.+]] = load ptr, ptr [[BYTES]], align 8, !invariant.load
; CHECK: [[N:%.+]] = load i32, ptr {{%.+}}, align 4, !invariant.load
; CHECK: call void @k(ptr [[P]], i32 [[N]])
; CHECK: define private void @cohort.register()
; CHECK: call void @cohort_register_module(ptr @cohort.module)
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"arch=90"}
!1 = !{!"k", !"space::k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}, i32 256, i32 2, i32 1, i32 1}
