// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries of cohort_wait_warp and cohort_wait_team for callers that preserve no registers: clang's preserve_none
// convention passes the first four arguments in r12..r15, the System V ABI in rdi, rsi, rdx, rcx.

    .macro light_entry name, target
    .p2align 4
    .globl \name
    .hidden \target
    .type \name, @function
\name:
    .cfi_startproc
    movl %r12d, %edi
    movq %r13, %rsi
    movq %r14, %rdx
    movq %r15, %rcx
    jmp \target
    .cfi_endproc
    .size \name, . - \name
    .endm

    .text
    light_entry cohort_wait_warp_light, cohort_wait_warp_unsaved
    light_entry cohort_wait_team_light, cohort_wait_team_unsaved

    .section .note.GNU-stack,"",@progbits
