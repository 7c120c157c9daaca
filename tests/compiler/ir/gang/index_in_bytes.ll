; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Without mask registers, an index is compared with a bound as a distance in bytes: from lane 0's index to the bound, or
; from the bound to lane 0's index where the lanes' indices fall.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[BEFORE:%.+]] = icmp slt i32 [[N:%.+]], [[FIRST:%.+]]
; CHECK: [[RISING:%.+]] = sub i32 [[N]], [[FIRST]]
; CHECK: call i32 @llvm.umin.i32(i32 [[RISING]], i32 32)
; CHECK: select i1 [[BEFORE]], i8 -1, i8
; CHECK: icmp sgt <32 x i8> %{{.+}}, <i8 0, i8 1, i8 2,
; CHECK: [[BACK:%.+]] = sub nsw i64 254, %{{.+}}
; CHECK: [[UNDER:%.+]] = icmp slt i64 [[BACK]], [[M:%.+]]
; CHECK: [[FALLING:%.+]] = sub i64 [[BACK]], [[M]]
; CHECK: call i64 @llvm.umin.i64(i64 [[FALLING]], i64 32)
; CHECK: select i1 [[UNDER]], i8 -1, i8
; CHECK: icmp slt <32 x i8> %{{.+}}, <i8 1, i8 2, i8 3,
; CHECK-NOT: icmp {{.*}}<32 x i64>
; CHECK-NOT: icmp {{.*}}<32 x i32>
; CHECK: masked.store
define void @k(ptr %p, i32 %n, i64 %m) "target-features"="+avx2" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %then, label %end
then:
  %back = sub nsw i64 254, %i
  %far = icmp sge i64 %m, %back
  br i1 %far, label %store, label %end
store:
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %x, ptr %to
  br label %end
end:
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}, !{!"values", i64 8, i64 8, i64 0}}}
