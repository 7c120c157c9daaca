; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A launch is a call of the kernel's stub, with the configuration as its first argument.
; RUN: %cohort=cohort-kernel-launches %s | FileCheck %s
define void @k(i32 %a) {
  ret void
}
define void @parent(i32 %x) {
  %r = call i32 @__cudaPushCallConfiguration(i64 1, i32 1, ptr null)
  %skip = icmp ne i32 %r, 0
  br i1 %skip, label %end, label %ok
ok:
  call void @k(i32 %x)
  br label %end
end:
  ret void
}
define i32 @__cudaPushCallConfiguration(i64 %g, i32 %z, ptr %s) {
  ret i32 0
}
define void @cohort_set_launch_shape(ptr %shape, i64 %g, i32 %z, ptr %s) {
  ret void
}
; CHECK-LABEL: define void @parent(
; CHECK: [[SHAPE:%.+]] = alloca
; CHECK: call void @cohort_set_launch_shape(ptr [[SHAPE]], i64 1, i32 1, ptr null)
; CHECK: icmp ne i32 0, 0
; CHECK: call void @k.launch(ptr [[SHAPE]], i32 %x)
; CHECK-NOT: __cudaPushCallConfiguration
; CHECK-LABEL: define void @k.launch(ptr %0, i32 %1)
; CHECK: store i32 %1, ptr [[MEMORY:%.+]], align 8
; CHECK: store ptr {{%.+}}, ptr {{%.+}}
; CHECK: call void @cohort_launch_kernel(ptr @k.launch, ptr %0, ptr {{%.+}})
!cohort.kernels = !{!0}
!0 = !{!"k", !"k", !{!{!"values", i64 4, i64 4, i64 0}}, i32 1024, i32 0, i32 0, i32 0}
