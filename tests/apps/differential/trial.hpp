// SPDX-License-Identifier: Apache-2.0
// One case on one rank, with buffers of its own: made under Espalier, perhaps several times, and compared with what the
// contract says and with what the native MPI does.
#pragma once

#include <memory>

#include "differential/blocks.hpp"
#include "differential/oracle.hpp"
#include "differential/rare_types.hpp"
#include "differential/tally.hpp"
#include "differential/task.hpp"

namespace espalier::apps {

class Trial {
 public:
  Trial(const Case& one, const Group& group, Tally& tally, Oracle& oracle);
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial();

  [[nodiscard]] const Case& made_of() const { return task_.made_of(); }
  // Calls the function, or starts the request again. Calls 0 and 1 have the same values, and so on.
  void start(int call);
  [[nodiscard]] MPI_Request& request() { return request_; }
  // Once the call is over.
  void judge(int call);

 private:
  using Message = std::vector<std::byte>;

  void fail(const std::string& how) const;
  void check(int status, const char* what) const;

  [[nodiscard]] Order order_of(BufferPart part, std::uint64_t which) const;
  [[nodiscard]] std::unique_ptr<Blocks> make_blocks(const Side& unit, const Held& held, BufferPart part) const;
  [[nodiscard]] std::uint64_t seed_of(int call) const;

  [[nodiscard]] Buffer filled(const Blocks& blocks, const Held& places, const Held& known, std::uint64_t seed) const;
  [[nodiscard]] Buffer contributed(Rank rank, const Held& blocks, std::uint64_t seed) const;
  [[nodiscard]] Buffer initial_input(std::uint64_t seed) const;
  [[nodiscard]] Buffer initial_output(std::uint64_t seed) const;

  struct Addresses {
    void* from = nullptr;
    void* to = nullptr;
  };
  [[nodiscard]] std::uint64_t oddity(std::uint64_t which) const;
  [[nodiscard]] Addresses addresses_of(Buffer& input, Buffer& output) const;
  void share_arrays(Call& call) const;
  void name_by_rare_types(Call& call, const Buffer& input, const Buffer& output, bool is_large);
  [[nodiscard]] Call call_with(Buffer& input, Buffer& output, bool is_large);
  [[nodiscard]] CallBlocks said(const Blocks& blocks, bool means_something, bool is_large) const;
  void enter(int status, const CallCounts& before);

  [[nodiscard]] Buffer native_output(std::uint64_t seed);
  [[nodiscard]] Buffer result_in(const Buffer& output) const;
  [[nodiscard]] Buffer fold(std::uint64_t seed) const;
  [[nodiscard]] Buffer by_expression(std::uint64_t seed) const;
  void judge_result(int call, std::uint64_t seed);
  [[nodiscard]] bool order_is_ours() const;
  void judge_values(const Buffer& result, const Buffer* native, std::uint64_t seed);
  void judge_by(const Buffer& result, const Buffer& expected, const char* note) const;
  void compare_ranks(std::uint64_t hash) const;
  void compare_times() const;

  const Task task_;
  Tally& tally_;
  Oracle& oracle_;
  const bool native_can_;
  std::unique_ptr<Blocks> send_, receive_;
  Buffer input_, output_;
  RareTypes rare_types_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  bool is_own_ = false;  // the last call ran on our schedules
  std::uint64_t bits_ = 0;
  double arrived_ = 0;
};

}  // namespace espalier::apps
