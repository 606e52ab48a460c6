// SPDX-License-Identifier: Apache-2.0
// Where an export is written: to a file piece by piece, or nowhere, to see how long it would be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace espalier {

class TextSink {
 public:
  virtual ~TextSink() = default;
  void write(std::string_view text) {
    bytes_ += text.size();
    do_write(text);
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  virtual void do_write(std::string_view text) = 0;

  std::uint64_t bytes_ = 0;
};

class CountingSink final : public TextSink {
  void do_write(std::string_view) override {}
};

// Replaces the file. All throw std::runtime_error with the file's name and why it could not be written.
class FileSink final : public TextSink {
 public:
  explicit FileSink(std::string path);
  ~FileSink() override;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  void close();  // what was not closed may be in part

 private:
  void do_write(std::string_view text) override;
  void flush();

  std::string path_, buffer_;
  int file_;
};

}  // namespace espalier
