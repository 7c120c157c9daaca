// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of kernels for AArch64, AAPCS64. See kernel_call.hpp; context.inc has the words of a context.
//
// x19 to x28 hold the check value over the call and x29 holds zero. Above the kernel's frame lie the stack pointer that
// the return must leave, xor the check value, and the check value itself.

#include "engine/fiber/context.inc"

    .macro load_check register
    movz \register, #0xae35
    movk \register, #0xc2b2, lsl #16
    movk \register, #0xe995, lsl #32
    movk \register, #0x5bd1, lsl #48
    .endm

    .macro load_exit register
    mrs \register, tpidr_el0
    adrp x17, :gottprel:cohort_kernel_exit
    ldr x17, [x17, #:gottprel_lo12:cohort_kernel_exit]
    add \register, \register, x17
    .endm

    .text
    .p2align 6
    .globl cohort_kernel_start
    .hidden cohort_kernel_start
    .type cohort_kernel_start, %function
cohort_kernel_start:
    .cfi_startproc
    .cfi_personality 0x9b, DW.ref.cohort_kernel_personality
    .cfi_undefined x30
    mov x9, x19
    mov x0, x20
    mov x1, x21
call_kernel:
    load_check x19
    mov x20, x19
    mov x21, x19
    mov x22, x19
    mov x23, x19
    mov x24, x19
    mov x25, x19
    mov x26, x19
    mov x27, x19
    mov x28, x19
    mov x29, xzr
    sub x10, sp, #16
    eor x10, x10, x19
    stp x10, x19, [sp, #-16]!
    blr x9
    load_check x9
    ldp x10, x11, [sp]
    mov x12, sp
    eor x10, x10, x12
    eor x10, x10, x9
    eor x11, x11, x9
    orr x10, x10, x11
    orr x10, x10, x29
    .irp saved, x19, x20, x21, x22, x23, x24, x25, x26, x27, x28
    eor \saved, \saved, x9
    orr x10, x10, \saved
    .endr
    load_exit x16
    cbnz x10, damaged
    ldr x1, [x16]
    cbz x1, land
    load_context
    br x30
land:
    ldp x9, x10, [x16, #24]
    ldr x0, [x16, #40]
    mov x11, sp
    add x29, x11, #16
    mov sp, x9
    blr x10
    mov sp, x29
    load_exit x16
    ldp x9, x0, [x16, #48]
    ldr x1, [x16, #64]
    b call_kernel
damaged:
    ldr x9, [x16, #8]
    mov sp, x9
    mov x29, xzr
    ldr x9, [x16, #16]
    blr x9
    brk #1
    .globl cohort_kernel_threw
    .hidden cohort_kernel_threw
cohort_kernel_threw:
    load_exit x16
    ldr x9, [x16, #72]
    blr x9
    brk #1
    .cfi_endproc
    .size cohort_kernel_start, . - cohort_kernel_start
    .globl cohort_kernel_start_end
    .hidden cohort_kernel_start_end
cohort_kernel_start_end:
    nop

// void cohort_call_kernel(context* home, void* top, entry, void** arguments, const cohort_gang* gang)
    .p2align 4
    .globl cohort_call_kernel
    .hidden cohort_call_kernel
    .type cohort_call_kernel, %function
cohort_call_kernel:
    .cfi_startproc
    save_context
    mov sp, x1
    .cfi_undefined x30
    mov x9, x2
    mov x0, x3
    mov x1, x4
    b call_kernel
    .cfi_endproc
    .size cohort_call_kernel, . - cohort_call_kernel

    .hidden DW.ref.cohort_kernel_personality
    .weak DW.ref.cohort_kernel_personality
    .section .data.rel.local.DW.ref.cohort_kernel_personality, "awG", %progbits, DW.ref.cohort_kernel_personality, comdat
    .p2align 3
    .type DW.ref.cohort_kernel_personality, %object
    .size DW.ref.cohort_kernel_personality, 8
DW.ref.cohort_kernel_personality:
    .xword cohort_kernel_personality

    .section .note.GNU-stack,"",%progbits
