// SPDX-License-Identifier: Apache-2.0
// Whether TCP connections get through. A process that does not answer may just be busy; its kernel answers
// nevertheless, as long as there is a network between them.
#pragma once

#include "transport/fabric/wire.hpp"

namespace espalier {

enum class Pulse : std::uint8_t { none, alive, dead };

// Of the connections of this process between two endpoints with such names: `dead` if what one of them has sent was not
// acknowledged for some time, although it was sent again. `none`: there are no such connections.
[[nodiscard]] Pulse pulse_between(const EndpointName& here, const EndpointName& there);

}  // namespace espalier
