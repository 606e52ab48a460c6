// SPDX-License-Identifier: Apache-2.0
// An open file, closed with this.
#pragma once

#include <unistd.h>

#include <utility>

namespace espalier {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this == &other) return *this;
    close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  [[nodiscard]] int number() const { return number_; }  // less than 0: none

 private:
  void close() const {
    if (number_ >= 0) ::close(number_);
  }

  int number_;
};

}  // namespace espalier
