// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry of cohort_wait_warp for callers that preserve no registers: clang's preserve_none convention passes the first
// four arguments in r12..r15, the System V ABI in rdi, rsi, rdx, rcx.

    .text
    .p2align 4
    .globl cohort_wait_warp_light
    .hidden cohort_wait_warp_unsaved
    .type cohort_wait_warp_light, @function
cohort_wait_warp_light:
    .cfi_startproc
    movl %r12d, %edi
    movq %r13, %rsi
    movq %r14, %rdx
    movq %r15, %rcx
    jmp cohort_wait_warp_unsaved
    .cfi_endproc
    .size cohort_wait_warp_light, . - cohort_wait_warp_light

    .section .note.GNU-stack,"",@progbits
