// SPDX-License-Identifier: Apache-2.0
// The functions of include/espalier/espalier.h.
#pragma once

namespace espalier {

int is_active();
int force_setting(const char* setting);
const char* last_error();
int count_calls(const char* collective, unsigned long long* own, unsigned long long* native);

}  // namespace espalier
