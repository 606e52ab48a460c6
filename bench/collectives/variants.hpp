// SPDX-License-Identifier: Apache-2.0
// Variants of a collective, ready to be called again and again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "functions.hpp"

namespace bench {

class Variant {
 public:
  virtual ~Variant() = default;
  // Collective: from here to leave(), calls are done by this variant. Throws std::runtime_error with a message for the
  // user.
  virtual void select() {}
  virtual void call(const espalier::Call& call) = 0;
  // Collective, as in any program between rooted calls: what Espalier has to agree on for them waits for such a call.
  virtual void meet() {}
  virtual void leave() {}
  // Whether Espalier left calls to the MPI that it was to do by an algorithm of its own.
  [[nodiscard]] virtual bool was_left_to_the_mpi() const { return false; }

  // The communicator to call on.
  [[nodiscard]] MPI_Comm comm() const { return comm_; }

 protected:
  explicit Variant(MPI_Comm comm) : comm_(comm) {}
  MPI_Comm comm_;
};

// Past Espalier, as the MPI chooses.
[[nodiscard]] std::unique_ptr<Variant> make_direct(const Function& function, MPI_Comm comm);
// Through Espalier, which is told what to do: "native", an algorithm with its parameters, or nothing.
[[nodiscard]] std::unique_ptr<Variant> make_intercepted(const Function& function, MPI_Comm comm,
                                                        const std::string& algorithm);
// "forced:NAME[,segment=N]", past Espalier: one of the MPI's own algorithms.
[[nodiscard]] bool is_forced(const std::string& name);
[[nodiscard]] std::unique_ptr<Variant> make_forced(const Function& function, MPI_Comm comm, const std::string& name);

// "forced:*" stands for all that the MPI has, cut in segments of 8, 16 and 64 KiB where they take segments;
// "espalier:*" for all of Espalier's that take such blocks.
[[nodiscard]] std::vector<std::string> expand(const std::vector<std::string>& names, const Function& function,
                                              MPI_Comm comm);

}  // namespace bench
