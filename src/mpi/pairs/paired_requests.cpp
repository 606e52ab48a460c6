// SPDX-License-Identifier: Apache-2.0
// MPI_Send_init, MPI_Recv_init and the like. Those that are to be paired become requests of ours; all others are the
// native MPI's. Both ends see the same hosts, NICs and length, so they come to the same answer.
#include <climits>

#include "mpi/call/large_counts.hpp"
#include "mpi/calls/context.hpp"
#include "mpi/calls/entries.hpp"
#include "mpi/calls/errors.hpp"
#include "mpi/job/short_messages.hpp"
#include "mpi/neighbours/reasons.hpp"
#include "mpi/neighbours/routes.hpp"
#include "mpi/pairs/paired_run.hpp"
#include "mpi/requests/reported_request.hpp"
#include "mpi/requests/request_call.hpp"

namespace espalier {

namespace {

constexpr char as_promised[] = "paired, as promised";
constexpr char not_paired_here[] = "a communicator without pairs";
constexpr char within_host[] = "within a host";

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

// `Native`: hands the call to the native MPI as it came.
template <class Native>
class PairedInit {
 public:
  PairedInit(const Call& call, const PairEnd& end, PreparedCommunicator& communicator, Native native)
      : call_(call), end_(end), communicator_(communicator), job_(communicator.job()), native_(native) {}

  [[nodiscard]] int init() {
    return do_reported(call_, ran_as_, [&] { return init_somehow(); });
  }

 private:
  [[nodiscard]] int init_natively(const char* reason) {
    ran_as_ = {.algorithm = std::string(native_name), .reason = reason};
    return native_();
  }

  [[nodiscard]] int init_somehow() {
    pairs_ = communicator_.pairs();
    if (pairs_ == nullptr) return init_natively(not_paired_here);
    const bool is_some_rank = end_.peer >= 0 && end_.peer < communicator_.size();
    if (!is_some_rank || !is_tag()) return init_natively(bad_arguments);
    std::unique_ptr<NeighbourBlocks> blocks;
    const int status =
        guarded(call_, [&] { blocks = std::make_unique<NeighbourBlocks>(job_, call_, neighbourhood()); });
    if (status != MPI_SUCCESS) return raise(call_, status);
    if (!blocks->are_right()) return init_natively(bad_arguments);
    if (const char* const reason = why_not(*blocks)) return init_natively(reason);
    return init_own(std::move(blocks));
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
    if (!are_apart(communicator_, communicator_.rank(), end_.peer)) return within_host;
    if (bytes == 0) return why::too_short;
    if (job_.transports == Transports::fabric) return nullptr;
    if (job_.pair_fabric->lanes_to(communicator_.peers().world_ranks[end_.peer]) < 2) return why::one_nic;
    return bytes < shortest_unplanned(job_) ? why::too_short : nullptr;
  }

  [[nodiscard]] int init_own(std::unique_ptr<NeighbourBlocks> blocks) {
    std::shared_ptr<PairedRun> run;
    int status = guarded(call_, [&] {
      run = std::make_shared<PairedRun>(communicator_, pairs_, end_, call_, std::move(blocks));
      ran_as_ = {.algorithm = "paired", .reason = as_promised};
    });
    if (status == MPI_SUCCESS) status = run->make_handle(*call_.request);
    return status == MPI_SUCCESS ? status : raise(call_, status);
  }

  const Call& call_;
  const PairEnd& end_;
  PreparedCommunicator& communicator_;
  const Job& job_;
  const Native native_;
  std::shared_ptr<Pairs> pairs_;
  RanAs ran_as_;
};

// Persistent messages of jobs in which none are to be paired stand in no report.
template <class Native>
[[nodiscard]] int init_message(const Function& function, PairSide side, const Named& named, const void* caller,
                               Native native) {
  const Context& here = *context;
  const bool is_looked_at = here.active.load(std::memory_order_acquire) && here.job.settings.paired &&
                            named.request != nullptr && here.job.host.is_internal(caller) == 0;
  Communicator* const known = is_looked_at ? here.communicators.find_known(named.comm) : nullptr;
  if (known == nullptr) return native();
  const Call call = call_of(function, named);
  return PairedInit(call, {side, named.peer, named.tag}, static_cast<PreparedCommunicator&>(*known), native).init();
}

constexpr Function function_of(const char* name, const char* what) {
  return {.name = name, .collective = what, .form = CallForm::persistent, .is_message = true};
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
