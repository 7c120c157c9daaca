; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; No argument, result or loaded value is promised to be defined.
; RUN: %cohort=cohort-undefined-values %s | FileCheck %s
; CHECK-NOT: noundef
declare noundef i32 @g(i32 noundef)
define noundef i32 @f(i32 noundef %x, ptr nonnull %p) {
; CHECK: define i32 @f(i32 %x, ptr nonnull %p)
; CHECK: %y = load i32, ptr %p, align 4{{$}}
; CHECK: call i32 @g(i32 %y)
  %y = load i32, ptr %p, !noundef !{}
  %z = call noundef i32 @g(i32 noundef %y)
  ret i32 %z
}
