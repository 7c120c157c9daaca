; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; No access relies on an alignment of more than 16 bytes; an object keeps its own.
; RUN: %cohort=cohort-access-alignments %s | FileCheck %s
define void @f(ptr align 64 %p, ptr byval(i64) align 32 %q) {
; CHECK: define void @f(ptr align 16 %p, ptr byval(i64) align 32 %q)
; CHECK: %object = alloca i64, align 32
; CHECK: %x = load i64, ptr %p, align 16
; CHECK: store i64 %x, ptr %object, align 8
; CHECK: @llvm.memcpy.p0.p0.i64(ptr align 16 %p, ptr align 16 %object, i64 8, i1 false)
  %object = alloca i64, align 32
  %x = load i64, ptr %p, align 32
  store i64 %x, ptr %object, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 64 %p, ptr align 32 %object, i64 8, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
