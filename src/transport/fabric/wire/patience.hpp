// SPDX-License-Identifier: Apache-2.0
// How long is waited before something is done about it. The wait that ends calls, while no lane gets through to a
// process, is none of these: ESPALIER_LANE_TIMEOUT, as Health has it (protocol/health.hpp).
#pragma once

#include <chrono>

namespace espalier {

using namespace std::chrono_literals;

// How often it is looked whether lanes work, while somebody waits; a process that has not looked for longer was busy
// elsewhere.
inline constexpr auto time_between_watches = 20ms;
inline constexpr auto time_away = 200ms;
// A handshake without an answer is said again.
inline constexpr auto time_between_handshakes = 250ms;
// A link by which nothing ends is looked at for signs of life.
inline constexpr auto quiet_time = 250ms;
inline constexpr auto time_between_looks = 100ms;
inline constexpr auto time_between_empty_looks = 500ms;
// While others to the same process get on. Longer than any of what they have under way should take.
inline constexpr auto time_behind_others = 1500ms;
// A link of which libfabric reports an error: mostly because the other side closed it, who then says why.
inline constexpr auto time_to_explain = 200ms;
inline constexpr auto time_between_pings = 500ms;
// For so long libfabric may speak of what was closed.
inline constexpr auto time_after_closing = 2s;

}  // namespace espalier
