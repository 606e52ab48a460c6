// SPDX-License-Identifier: Apache-2.0
#include "simulate/export/text_sink.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "files/write_all.hpp"

namespace espalier {

namespace {

constexpr std::size_t buffer_bytes = 1 << 20;

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw std::runtime_error(path + ": cannot be written: " + why);
}

}  // namespace

FileSink::FileSink(std::string path)
    : path_(std::move(path)), file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (file_ < 0) fail(path_, std::strerror(errno));
  buffer_.reserve(buffer_bytes);
}

FileSink::~FileSink() {
  if (file_ >= 0) ::close(file_);
}

void FileSink::do_write(std::string_view text) {
  if (buffer_.size() + text.size() > buffer_bytes) flush();
  buffer_ += text;
}

void FileSink::flush() {
  const std::string error = write_all(file_, buffer_);
  if (!error.empty()) fail(path_, error);
  buffer_.clear();
}

void FileSink::close() {
  flush();
  const int closed = ::close(file_);
  file_ = -1;
  if (closed != 0) fail(path_, std::strerror(errno));
}

}  // namespace espalier
