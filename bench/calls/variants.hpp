// SPDX-License-Identifier: Apache-2.0
// One way to do a collective, ready to be called again and again.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

namespace bench {

// The buffers of all variants. Values are small whole numbers, so every order of summation gives the same bits.
struct Data {
  Data(std::size_t bytes, int rank, int size);

  // Sets what the call reads; `round` makes the data new each time.
  void prepare(int round);
  [[nodiscard]] bool correct(const std::string& collective) const;

  int rank, size, count, round = 0;  // count: doubles
  std::vector<double> input, output, scratch;
};

class Variant {
 public:
  virtual ~Variant() = default;
  // Collective: makes Espalier do the next calls in this way. Throws std::runtime_error with a message for the user.
  virtual void select() = 0;
  virtual void call(Data& data) = 0;
};

[[nodiscard]] std::unique_ptr<Variant> make_variant(const std::string& name, const std::string& collective);

}  // namespace bench
