// SPDX-License-Identifier: Apache-2.0
// Reads what a user, or somebody else, wrote: descriptions of machines, host files, measured loads.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace espalier {

// The node-by-node description of the largest machines takes some MiB.
inline constexpr std::size_t max_input_bytes = std::size_t{64} << 20;

// what() says why, without the file's name.
struct UnreadableFile : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The bytes of a regular file of at most max_input_bytes, without the byte order mark that a text in UTF-8 may begin
// with. Never waits: a FIFO or a device, which might give nothing or no end, is refused. Throws UnreadableFile.
[[nodiscard]] std::string read_input_file(const std::string& file);
// The same of one that is open, of at most this many bytes.
[[nodiscard]] std::string read_open_file(int descriptor, std::size_t max_bytes);

}  // namespace espalier
