// SPDX-License-Identifier: Apache-2.0
// The TCP connections that libfabric has made, as the kernel sees them: what libfabric does not tell.
#pragma once

#include "transport/fabric/protocol/pulse.hpp"
#include "transport/fabric/wire/wire.hpp"

namespace espalier {

// A process that does not answer may just be busy; its kernel answers nevertheless, as long as there is a network
// between them. Of the connections of this process between two endpoints with such names: `dead` if what one of them
// has sent was not acknowledged for some time, although it was sent again, or if it has sent nothing, and its kernel's
// questions were not answered: which are only asked from the first time on that this is called. `none`: there are no
// such connections.
[[nodiscard]] Pulse pulse_between(const EndpointName& here, const EndpointName& there);

// Ends all that have arrived at this endpoint. True if there was one: then libfabric has to be asked what has arrived,
// so that it takes notice, and this be called again. Libfabric (2.5) forgets a connection that it has accepted and not
// finished when its endpoint is closed, and reaches for the endpoint when the other side says something later on.
[[nodiscard]] bool end_connections_to(const EndpointName& here);

// Nobody can connect to this endpoint from now on; anyone who has done so stays.
void admit_no_more(const EndpointName& here);

}  // namespace espalier
