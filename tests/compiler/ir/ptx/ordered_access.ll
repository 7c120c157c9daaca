; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An access with a memory order is atomic.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
define i32 @f(ptr %p, i32 %x) {
; CHECK-LABEL: @f(
; CHECK: load atomic i32, ptr %p acquire, align 4
; CHECK: store atomic i32 %x, ptr %p release, align 4
  %d = call i32 asm sideeffect "ld.acquire.gpu.u32 $0, [$1]; st.release.gpu.u32 [$1], $2;", "=r,l,r,~{memory}"(ptr %p, i32 %x)
  ret i32 %d
}
