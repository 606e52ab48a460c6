// SPDX-License-Identifier: Apache-2.0
// MPI_Send_init, MPI_Recv_init and the like. Those that are to be paired become requests of ours; all others are the
// native MPI's. Both ends see the same hosts, NICs and length, so they arrive at the same answer.
#include <climits>

#include "mpi/call/large_counts.hpp"
#include "mpi/call/reasons.hpp"
#include "mpi/calls/enter.hpp"
#include "mpi/calls/entries.hpp"
#include "mpi/deferred/persistent_call.hpp"
#include "mpi/job/short_messages.hpp"
#include "mpi/neighbours/routes.hpp"
#include "mpi/pairs/paired_run.hpp"

namespace espalier {

namespace {

// A message's arguments, as the application has named them.
struct Named {
  const void* input = nullptr;  // of a send
  void* output = nullptr;       // of a receive
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  Rank peer = no_rank;
  int tag = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request* request = nullptr;
};

Call call_of(const Function& function, const Named& named) {
  const CallBlocks said{named.count, named.type};
  return {.function = &function,
          .input = named.input,
          .output = named.output,
          .sent = named.output == nullptr ? said : CallBlocks(),
          .received = said,
          .comm = named.comm,
          .request = named.request};
}

// `Native`: hands the call to the native MPI unchanged. Both ends arrive at the same without a word.
template <class Native>
class PairedMessage final : public PersistentWork {
 public:
  PairedMessage(const Call& call, const PairEnd& end, PreparedCommunicator& communicator, Native native)
      : call_(call), end_(end), communicator_(communicator), job_(communicator.job()), native_(native) {}

  [[nodiscard]] int agree(RanAs& ran_as) override {
    const char* reason = nullptr;
    const int status = guarded(call_, [&] { reason = why_native(); });
    if (status != MPI_SUCCESS) return raise(call_, status);
    ran_as = reason != nullptr ? ran_natively(reason) : RanAs{.choice = {.reason = why::as_promised}, .by = "paired"};
    return MPI_SUCCESS;
  }

  [[nodiscard]] int prepare(std::shared_ptr<PersistentRun>& run) override {
    run = std::make_shared<PairedRun>(communicator_, communicator_.pairs(), end_, call_, std::move(blocks_));
    return MPI_SUCCESS;
  }

  [[nodiscard]] int init_natively(const espalier::Native& /*mpi*/, const Call& /*call*/) override { return native_(); }

 private:
  // Static text; null: it is ours. Throws on allocation failure.
  [[nodiscard]] const char* why_native() {
    if (communicator_.pairs() == nullptr) return why::not_paired_here;
    const bool is_some_rank = end_.peer >= 0 && end_.peer < communicator_.size();
    if (!is_some_rank || !is_tag()) return bad_arguments;
    blocks_ = std::make_unique<NeighbourBlocks>(job_, call_, neighbourhood());
    return blocks_->are_right() ? why_not(*blocks_) : bad_arguments;
  }

  [[nodiscard]] bool is_tag() const {
    void* highest = nullptr;
    int is_known = 0;
    job_.mpi.Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &highest, &is_known);
    return end_.tag >= 0 && (is_known == 0 || end_.tag <= *static_cast<int*>(highest));
  }

  [[nodiscard]] Neighbourhood neighbourhood() const {
    Neighbourhood only;
    (end_.side == PairSide::sends ? only.to : only.from).push_back(end_.peer);
    return only;
  }

  // Static text; null: it is ours.
  [[nodiscard]] const char* why_not(const NeighbourBlocks& blocks) const {
    const bool is_send = end_.side == PairSide::sends;
    const std::size_t bytes = (is_send ? blocks.sides().input : blocks.sides().output).bytes();
    if (job_.settings.packer == packer_of_mpi) return why::not_asked_for;
    if (!are_apart(communicator_, communicator_.rank(), end_.peer)) return why::within_host;
    if (bytes == 0) return why::too_short;
    if (job_.transports == Transports::fabric) return nullptr;
    if (job_.pair_fabric->lanes_to(communicator_.peers().world_ranks[end_.peer]) < 2) return why::one_nic;
    return bytes < shortest_unplanned(job_) ? why::too_short : nullptr;
  }

  const Call& call_;
  const PairEnd& end_;
  PreparedCommunicator& communicator_;
  const Job& job_;
  const Native native_;
  std::unique_ptr<NeighbourBlocks> blocks_;
};

// Persistent messages of jobs in which none are to be paired stand in no report.
template <class Native>
[[nodiscard]] int init_message(const Function& function, PairSide side, const Named& named, const void* caller,
                               Native native) {
  const bool may_be_paired = is_to_be_looked_at(caller) && context->job.settings.paired && named.request != nullptr;
  Communicator* const known = may_be_paired ? context->communicators.find_known(named.comm) : nullptr;
  if (known == nullptr) return native();
  auto& communicator = static_cast<PreparedCommunicator&>(*known);
  const Call call = call_of(function, named);
  const PairEnd end{side, named.peer, named.tag};
  PairedMessage work(call, end, communicator, native);
  return do_persistent_call(call, communicator, work);
}

constexpr Function function_of(const char* name, const char* what) {
  return {.name = name, .collective = what, .form = CallForm::persistent, .kind = FunctionKind::message};
}

// An MPI without large counts is asked for what it has.
template <auto small, auto large, class Buffer, class Count>
[[nodiscard]] int init_native(Buffer buffer, Count count, const Named& named) {
  const Native& mpi = context->job.mpi;
  if constexpr (std::is_same_v<Count, MPI_Count>) {
    if (mpi.*large != nullptr) {
      return (mpi.*large)(buffer, count, named.type, named.peer, named.tag, named.comm, named.request);
    }
    if (count > INT_MAX) return raise_unsupported(mpi, call_of(function_of("", ""), named));
  }
  return (mpi.*small)(buffer, static_cast<int>(count), named.type, named.peer, named.tag, named.comm, named.request);
}

template <const Function& function, auto small, auto large, class Count>
int entry_send(const void* buffer, Count count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  const Named named{
      .input = buffer, .count = count, .type = type, .peer = to, .tag = tag, .comm = comm, .request = request};
  return init_message(function, PairSide::sends, named, __builtin_return_address(0),
                      [&] { return init_native<small, large>(buffer, count, named); });
}

template <const Function& function, auto small, auto large, class Count>
int entry_receive(void* buffer, Count count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  const Named named{
      .output = buffer, .count = count, .type = type, .peer = from, .tag = tag, .comm = comm, .request = request};
  return init_message(function, PairSide::receives, named, __builtin_return_address(0),
                      [&] { return init_native<small, large>(buffer, count, named); });
}

#define MESSAGE(Name, what, entry_point)                                                                     \
  constexpr Function Name##_function = function_of("MPI_" #Name, what);                                      \
  constexpr Function Name##_c_function = function_of("MPI_" #Name "_c", what);                               \
  const Entries Name##_entries({                                                                             \
      entry("MPI_" #Name, entry_point<Name##_function, &Native::Name, &Native::Name##_c, int>),              \
      entry("MPI_" #Name "_c", entry_point<Name##_c_function, &Native::Name, &Native::Name##_c, MPI_Count>), \
  });
MESSAGE(Send_init, "send", entry_send)
MESSAGE(Ssend_init, "send", entry_send)
MESSAGE(Rsend_init, "send", entry_send)
MESSAGE(Recv_init, "recv", entry_receive)
#undef MESSAGE

}  // namespace

}  // namespace espalier
