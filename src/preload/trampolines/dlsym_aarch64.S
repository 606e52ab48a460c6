/* SPDX-License-Identifier: Apache-2.0 */
/* The aarch64 form of dlsym_x86_64.S; what is said there holds here. Tested under emulation, not on hardware. */

  .hidden espalier_hand_out, espalier_find_next_dlsym, espalier_next_dlsym

  .text
  .balign 16
  .globl dlsym
  .type dlsym, %function
dlsym:
  .cfi_startproc
  bti c
  stp x29, x30, [sp, #-32]!
  .cfi_def_cfa_offset 32
  .cfi_offset 29, -32
  .cfi_offset 30, -24
  mov x29, sp
  stp x0, x1, [sp, #16]
  adrp x16, espalier_next_dlsym
  add x16, x16, :lo12:espalier_next_dlsym
  ldar x17, [x16]
  cbnz x17, known
  bl espalier_find_next_dlsym
  ldp x0, x1, [sp, #16]
known:
  ldr x2, [sp, #8] /* the return address */
  add x3, x0, #1
  cmp x3, #1 /* RTLD_NEXT is -1, RTLD_DEFAULT 0 */
  mov x4, x0
  mov x0, #0
  b.ls decided
  mov x0, x4
  bl espalier_hand_out
decided:
  mov x4, x0
  ldp x0, x1, [sp, #16]
  ldp x29, x30, [sp], #32
  .cfi_restore 30
  .cfi_restore 29
  .cfi_def_cfa_offset 0
  cbz x4, next
  mov x0, x4
  ret
next:
  adrp x16, espalier_next_dlsym
  add x16, x16, :lo12:espalier_next_dlsym
  ldar x16, [x16]
  br x16
  .cfi_endproc
  .size dlsym, . - dlsym

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
