// SPDX-License-Identifier: Apache-2.0
#include "files/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "files/descriptor.hpp"

namespace espalier {

namespace {

// What editors of other systems put before a text.
constexpr std::string_view mark_of_utf8 = "\xef\xbb\xbf";
constexpr std::string_view marks_of_utf16[] = {"\xff\xfe", "\xfe\xff"};

[[noreturn]] void fail(int code) { throw UnreadableFile(std::strerror(code)); }
[[noreturn]] void fail_as_too_large(std::size_t max_bytes) {
  throw UnreadableFile("too large; allowed: " + std::to_string(max_bytes >> 20) + " MiB");
}

// As the file system has it; files of the kernel's say 0.
std::size_t check_kind_and_size(int descriptor, std::size_t max_bytes) {
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0) fail(errno);
  if (S_ISDIR(facts.st_mode)) fail(EISDIR);
  if (!S_ISREG(facts.st_mode)) throw UnreadableFile("a FIFO or a device; allowed: a regular file");
  const auto bytes = static_cast<std::size_t>(facts.st_size);
  if (bytes > max_bytes) fail_as_too_large(max_bytes);
  return bytes;
}

// 0 at the end.
std::size_t read_some(int descriptor, char* to, std::size_t bytes) {
  for (;;) {
    const ssize_t got = ::read(descriptor, to, bytes);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail(errno);
  }
}

}  // namespace

std::string read_open_file(int descriptor, std::size_t max_bytes) {
  constexpr std::size_t chunk = 4096;
  // One byte more, to see the end in the same read; the file may still grow.
  std::string text(check_kind_and_size(descriptor, max_bytes) + 1, '\0');
  std::size_t filled = 0;
  while (const std::size_t got = read_some(descriptor, text.data() + filled, text.size() - filled)) {
    filled += got;
    if (filled > max_bytes) fail_as_too_large(max_bytes);
    if (filled == text.size()) text.resize(filled + chunk);
  }
  text.resize(filled);
  const auto begins_with = [&](std::string_view mark) { return text.starts_with(mark); };
  if (std::ranges::any_of(marks_of_utf16, begins_with)) throw UnreadableFile("is UTF-16; allowed: ASCII or UTF-8");
  if (begins_with(mark_of_utf8)) text.erase(0, mark_of_utf8.size());
  return text;
}

std::string read_input_file(const std::string& file) {
  // Opening a FIFO would wait for a writer.
  const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (descriptor.number() < 0) fail(errno);
  return read_open_file(descriptor.number(), max_input_bytes);
}

}  // namespace espalier
