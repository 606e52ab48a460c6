/* SPDX-License-Identifier: Apache-2.0 */
/* The aarch64 form of trampolines_x86_64.S; what is said there holds here. Tested under emulation, not on hardware. */

  .hidden espalier_resolve
  .globl espalier_slots, espalier_lazy_stubs, espalier_handed
  .hidden espalier_slots, espalier_lazy_stubs, espalier_handed

  .data
  .balign 64
espalier_slots:
  .section .data.rel.ro, "aw"
  .balign 8
espalier_lazy_stubs:
  .section .data.rel.ro.handed, "aw"
  .balign 8
espalier_handed:

/* The load acquires: a branch to a loaded address orders nothing on this architecture, and what is reached must see the
 * data that was written before the slot. */
  .macro trampoline name
  .text
  .balign 16
  .type \name, %function
\name:
  .cfi_startproc
  bti c
  adrp x16, slot_\name
  add x16, x16, :lo12:slot_\name
  ldar x16, [x16]
  br x16
  .cfi_endproc
  .size \name, . - \name

  .type lazy_\name, %function
lazy_\name:
  .cfi_startproc
  bti c
  adrp x17, slot_\name
  add x17, x17, :lo12:slot_\name
  b resolve_and_go
  .cfi_endproc
  .size lazy_\name, . - lazy_\name

  .data
slot_\name:
  .xword lazy_\name
  .section .data.rel.ro, "aw"
  .xword lazy_\name
  .endm

  .macro exported name
  .globl \name
  trampoline \name
  .endm

  .macro handed name
  trampoline handed_\name
  .section .data.rel.ro.handed, "aw"
  .xword handed_\name
  .endm

#define ESPALIER_FUNCTION(name, result, parameters) exported name; exported P##name
#include "functions.inc"
#undef ESPALIER_FUNCTION
#define ESPALIER_FUNCTION(name, result, parameters) handed name; handed P##name
#include "functions.inc"

/* Everything that may hold an argument survives: x0 to x7, the address of a large result (x8), and q0 to q7. */
  .text
  .balign 16
  .type resolve_and_go, %function
resolve_and_go:
  .cfi_startproc
  stp x29, x30, [sp, #-224]!
  .cfi_def_cfa_offset 224
  .cfi_offset 29, -224
  .cfi_offset 30, -216
  mov x29, sp
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  str x8, [sp, #80]
  stp q0, q1, [sp, #96]
  stp q2, q3, [sp, #128]
  stp q4, q5, [sp, #160]
  stp q6, q7, [sp, #192]
  mov x0, x17
  mov x1, x30
  bl espalier_resolve
  mov x16, x0
  ldp q6, q7, [sp, #192]
  ldp q4, q5, [sp, #160]
  ldp q2, q3, [sp, #128]
  ldp q0, q1, [sp, #96]
  ldr x8, [sp, #80]
  ldp x6, x7, [sp, #64]
  ldp x4, x5, [sp, #48]
  ldp x2, x3, [sp, #32]
  ldp x0, x1, [sp, #16]
  ldp x29, x30, [sp], #224
  .cfi_restore 30
  .cfi_restore 29
  .cfi_def_cfa_offset 0
  br x16
  .cfi_endproc
  .size resolve_and_go, . - resolve_and_go

#ifdef __ARM_FEATURE_BTI_DEFAULT
/* Marks this file as fit for branch target identification. */
  .section .note.gnu.property, "a"
  .balign 8
  .word 4, 16, 5        /* sizes of name and description, NT_GNU_PROPERTY_TYPE_0 */
  .asciz "GNU"
  .word 0xc0000000, 4   /* GNU_PROPERTY_AARCH64_FEATURE_1_AND, size of its value */
  .word 1, 0            /* BTI, padding */
#endif

  .section .note.GNU-stack, "", %progbits
