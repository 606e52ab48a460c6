// SPDX-License-Identifier: Apache-2.0
// Where the functions that the application calls begin; everything below them is handed on. What else is global, and
// why: docs/explanation/how-a-call-travels.md.
#pragma once

#include <atomic>

#include "mpi/communicators/communicators.hpp"
#include "mpi/job/job.hpp"
#include "policy/selection/selector.hpp"

namespace espalier {

struct Context {
  Context(const EspalierHost& host, const Native& native) : job(host, native), communicators(job) {}

  // Whether calls are looked at at all: between MPI_Init and MPI_Finalize, if the ranks agreed. Everything below is
  // valid then.
  std::atomic<bool> active{false};
  Job job;
  Communicators communicators;
  std::unique_ptr<const Selector> selector;
  std::atomic<std::uint64_t> failures{0};  // calls that ended with an error, for the log
};

// Made when the library is opened, and never destroyed: programs call MPI from exit handlers too.
extern constinit Context* context;

}  // namespace espalier
