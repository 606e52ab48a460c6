// SPDX-License-Identifier: Apache-2.0
// What a host has sent.
#pragma once

namespace bench {

// So far, over all network interfaces of this host but the loopback.
[[nodiscard]] double packets_sent();

}  // namespace bench
