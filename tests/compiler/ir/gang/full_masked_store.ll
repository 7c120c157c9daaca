; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Without mask registers, a store is a plain one where all lanes are active.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[MASK:%.+]] = icmp sgt <32 x i8>
; CHECK: [[BITS:%.+]] = bitcast <32 x i1> [[MASK]] to i32
; CHECK: [[FULL:%.+]] = icmp eq i32 [[BITS]], -1
; CHECK: br i1 [[FULL]], label %[[ALL:[^,]+]], label %[[SOME:[^,]+]]
; CHECK: [[ALL]]:
; CHECK-NEXT: store <32 x i32> [[X:%[^,]+]], ptr [[TO:%[^,]+]], align 4
; CHECK: [[SOME]]:
; CHECK-NEXT: call void @llvm.masked.store.v32i32.p0(<32 x i32> [[X]], ptr [[TO]], i32 4, <32 x i1> [[MASK]])
define void @k(ptr %p, i32 %n) "target-features"="+avx2" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %then, label %end
then:
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %x, ptr %to
  br label %end
end:
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
