/* SPDX-License-Identifier: Apache-2.0 */
/* The names of GCC's unwinder that a C++ runtime calls. Nothing runs these: the process's own libgcc_s.so.1 has them.
 */
#define NAME(function) \
  void function(void); \
  void function(void) {}

NAME(_Unwind_Backtrace)
NAME(_Unwind_DeleteException)
NAME(_Unwind_ForcedUnwind)
NAME(_Unwind_GetCFA)
NAME(_Unwind_GetGR)
NAME(_Unwind_GetIP)
NAME(_Unwind_GetIPInfo)
NAME(_Unwind_GetLanguageSpecificData)
NAME(_Unwind_GetRegionStart)
NAME(_Unwind_RaiseException)
NAME(_Unwind_Resume)
NAME(_Unwind_Resume_or_Rethrow)
NAME(_Unwind_SetGR)
NAME(_Unwind_SetIP)
