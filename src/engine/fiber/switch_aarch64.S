// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Context switch for AArch64, AAPCS64. See switch.hpp.

#include "engine/fiber/context.inc"

    .text
    .p2align 6
    .globl cohort_switch
    .type cohort_switch, %function
cohort_switch:
    .cfi_startproc
    save_context
    load_context
    br x30
    .cfi_endproc
    .size cohort_switch, . - cohort_switch

    .p2align 4
    .type cohort_context_start, %function
cohort_context_start:
    .cfi_startproc
    .cfi_undefined x30
    mov x0, x20
    blr x19
    brk #1
    .cfi_endproc
    .size cohort_context_start, . - cohort_context_start

// void cohort_make_context(context* made, void* low, void* top, void (*entry)(void*), void* argument)
    .p2align 4
    .globl cohort_make_context
    .type cohort_make_context, %function
cohort_make_context:
    .cfi_startproc
    adr x9, cohort_context_start
    stp x3, x4, [x0, #0]
    stp xzr, x9, [x0, #80]
    stp x2, xzr, [x0, #96]
    ret
    .cfi_endproc
    .size cohort_make_context, . - cohort_make_context

    .section .note.GNU-stack,"",%progbits
