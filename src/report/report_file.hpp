// SPDX-License-Identifier: Apache-2.0
// Where a report goes.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

// Into a new file: where `path` exists already, into `path`.2 and so on, for a program may be several jobs one after
// the other, and a report never replaces a file. A device or a FIFO is written to as it is, without waiting for a
// reader. Returns why it could not be written, or nothing; a part of a file is not left behind. No signal is raised.
[[nodiscard]] std::string write_report(const std::string& path, std::string_view text);

}  // namespace espalier
