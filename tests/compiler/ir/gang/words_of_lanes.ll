; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop over the lanes counts them if all lanes are active and there is no result; otherwise it visits the set bits of
; the mask, of more than 64 lanes in words.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare void @cohort_wait_block()
; CHECK-LABEL: define internal void @cohort.gang.k(
; CHECK: %[[lane:.+]] = phi i64 [ 0, %{{.+}} ], [ %[[next:.+]], %{{.+}} ]
; CHECK: atomicrmw add ptr
; CHECK: %[[next]] = add nuw nsw i64 %[[lane]], 1
; CHECK: icmp {{eq|ne}} i64 %[[next]], 128
; CHECK: %[[word:.+]] = phi i64
; CHECK: load i64, ptr
; CHECK: %[[rest:.+]] = phi i64
; CHECK: call {{.*}}i64 @llvm.cttz.i64(i64 %[[rest]], i1 true)
; CHECK: atomicrmw sub ptr
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr i32, ptr %p, i64 %i
  %a = load i32, ptr %from
  %j = zext i32 %a to i64
  %to = getelementptr i32, ptr %q, i64 %j
  %unused = atomicrmw add ptr %to, i32 1 monotonic
  call void @cohort_wait_block()
  %exists = icmp ult i32 %a, %n
  br i1 %exists, label %then, label %done
then:
  %unused.too = atomicrmw sub ptr %to, i32 3 monotonic
  br label %done
done:
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=128"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
