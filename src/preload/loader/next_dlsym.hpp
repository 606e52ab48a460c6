// SPDX-License-Identifier: Apache-2.0
// The dlsym behind ours, which is the C library's, or that of another library that has its own, too.
#pragma once

namespace espalier {

// For handles. RTLD_DEFAULT and RTLD_NEXT are as for this library.
[[nodiscard]] void* next_dlsym(void* handle, const char* name);

}  // namespace espalier
