// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Context switch for AArch64, AAPCS64. See switch.hpp.
//
//   context: 0..95 x19..x30 (x29 frame pointer, x30 resume address)   96 sp   104..167 d8..d15

    .text
    .p2align 6
    .globl cohort_switch
    .type cohort_switch, %function
cohort_switch:
    .cfi_startproc
    mov x9, sp
    stp x19, x20, [x0, #0]
    stp x21, x22, [x0, #16]
    stp x23, x24, [x0, #32]
    stp x25, x26, [x0, #48]
    stp x27, x28, [x0, #64]
    stp x29, x30, [x0, #80]
    stp x9, xzr, [x0, #96]
    stp d8, d9, [x0, #104]
    stp d10, d11, [x0, #120]
    stp d12, d13, [x0, #136]
    stp d14, d15, [x0, #152]
    ldr x9, [x1, #96]
    ldp x19, x20, [x1, #0]
    ldp x21, x22, [x1, #16]
    ldp x23, x24, [x1, #32]
    ldp x25, x26, [x1, #48]
    ldp x27, x28, [x1, #64]
    ldp x29, x30, [x1, #80]
    ldp d8, d9, [x1, #104]
    ldp d10, d11, [x1, #120]
    ldp d12, d13, [x1, #136]
    ldp d14, d15, [x1, #152]
    mov sp, x9
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
