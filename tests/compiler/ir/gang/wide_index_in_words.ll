; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An index of 8 bytes is compared with a bound as a distance from lane 0's index, in words.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[BEHIND:%.+]] = icmp {{s|u}}lt i64 [[N:%.+]], [[FIRST:%.+]]
; CHECK: [[DISTANCE:%.+]] = sub i64 [[N]], [[FIRST]]
; CHECK: call i64 @llvm.umin.i64(i64 [[DISTANCE]], i64 32)
; CHECK: select i1 [[BEHIND]], i32 -1, i32
; CHECK: icmp sgt <32 x i32> %{{.+}}, <i32 0, i32 1, i32 2,
; CHECK-NOT: icmp {{.*}}<32 x i64>
define void @k(ptr %p, ptr %q, i64 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %inside = icmp slt i64 %i, %n
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
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}}}
