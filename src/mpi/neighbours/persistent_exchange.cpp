// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/persistent_exchange.hpp"

#include "mpi/call/reasons.hpp"
#include "mpi/deferred/persistent_call.hpp"
#include "mpi/neighbours/exchange_plan.hpp"
#include "mpi/neighbours/meeting.hpp"
#include "mpi/neighbours/prepared_exchange.hpp"
#include "mpi/requests/request_call.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

namespace {

class PersistentExchange final : public PersistentWork {
 public:
  PersistentExchange(const Call& call, PreparedCommunicator& communicator)
      : call_(call), communicator_(communicator), job_(communicator.job()) {}

  [[nodiscard]] int agree(RanAs& ran_as) override {
    const char* refused = nullptr;
    const int status = agree_on_plan(refused);
    if (status != MPI_SUCCESS) return status;
    ran_as = refused != nullptr ? ran_natively(refused) : RanAs{.choice = {.reason = plan_.reason}, .by = by_};
    return MPI_SUCCESS;
  }

  [[nodiscard]] int prepare(std::shared_ptr<PersistentRun>& run) override {
    run = std::move(run_);
    return MPI_SUCCESS;
  }

 private:
  // All of these return an MPI code. `refused`: static text, on all ranks alike.

  [[nodiscard]] int agree_on_plan(const char*& refused) {
    if (int status = find_tags(refused); status != MPI_SUCCESS || refused != nullptr) return status;
    AgreedExchange agreed;
    if (int status = exchange_offers(agreed); status != MPI_SUCCESS) return status;
    refused = agreed.refused;
    return refused == nullptr ? plan(agreed, refused) : MPI_SUCCESS;
  }

  [[nodiscard]] int find_tags(const char*& refused) {
    if (job_.fabric == nullptr) return refuse(why::no_lanes, refused);
    if (communicator_.neighbours_refused == why::other_topology) return refuse(why::other_topology, refused);
    int status = find_neighbourhood(job_.mpi, communicator_.handle(), neighbourhood_);
    if (status != MPI_SUCCESS) return status;
    if (neighbourhood_.kind == MPI_UNDEFINED) return refuse(why::no_neighbours, refused);
    status = agree_on_tags(call_, communicator_, tags_, refused);
    if (status != MPI_SUCCESS || refused != nullptr) return status;
    // So that nonblocking calls can be ours from here on.
    return meet_neighbours(communicator_, call_.meets_as());
  }

  [[nodiscard]] static int refuse(const char* reason, const char*& refused) {
    refused = reason;
    return MPI_SUCCESS;
  }

  // A rank that cannot take part says so.
  [[nodiscard]] int exchange_offers(AgreedExchange& agreed) {
    order_ = meeting_of(job_.mpi, requests().to_self, neighbourhood_.kind, CallForm::persistent);
    (void)guarded(call_, [&] { blocks_ = std::make_unique<NeighbourBlocks>(job_, call_, neighbourhood_); });
    int agreed_status = MPI_SUCCESS;
    const int status = guarded(call_, [&] {
      const bool can = order_ != MeetingOrder::unknown;
      agreed_status = agree_on_exchange(communicator_, call_.info, neighbourhood_, blocks_.get(), can, agreed);
    });
    return status == MPI_SUCCESS ? agreed_status : raise(call_, status);
  }

  // Once all have received what there is to send, each plans for itself, and arrives at the same; whether that went
  // well everywhere, they ask each other.
  [[nodiscard]] int plan(const AgreedExchange& agreed, const char*& refused) {
    const int planned = guarded(call_, [&] {
      plan_ = plan_exchange(communicator_, agreed, neighbourhood_, *blocks_, order_);
      by_ = plan_.is_aggregated ? plan_.packer + "+aggregated" : plan_.packer;
      if (plan_.is_ours && plan_.fits_neighbours) make_run();
    });
    bool is_ready_everywhere = false;
    const bool is_ready = planned == MPI_SUCCESS && (run_ != nullptr || !plan_.is_ours);
    const int status = ask_all(is_ready, is_ready_everywhere);
    if (status != MPI_SUCCESS) return status;
    if (!is_ready_everywhere) return refuse(why::not_ready, refused);
    return plan_.is_ours ? MPI_SUCCESS : refuse(plan_.reason, refused);
  }

  // Whether it is so on all ranks.
  [[nodiscard]] int ask_all(bool here, bool& everywhere) const {
    const int mine = here ? 1 : 0;
    int all = 0;
    const int status = job_.mpi.Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, communicator_.handle());
    everywhere = status == MPI_SUCCESS && all != 0;
    return status;
  }

  void make_run() {
    Preparation ready = prepare_exchange({.communicator = communicator_,
                                          .part = plan_.part,
                                          .form = CallForm::persistent,
                                          .behind_request = &tags_.tags->endpoint()},
                                         std::move(blocks_));
    auto run = std::make_shared<PersistentRun>(communicator_, tags_.tags, tags_.number);
    run->use(call_, std::move(ready));
    run_ = std::move(run);
  }

  const Call& call_;
  PreparedCommunicator& communicator_;
  const Job& job_;
  Neighbourhood neighbourhood_;
  RequestTags tags_;
  MeetingOrder order_ = MeetingOrder::unknown;
  std::unique_ptr<NeighbourBlocks> blocks_;
  ExchangePlan plan_;
  std::string by_;
  std::shared_ptr<PersistentRun> run_;
};

}  // namespace

int init_persistent_exchange(const Call& call, const void* caller) {
  return enter_with_request(call, caller, [&](PreparedCommunicator& communicator) {
    PersistentExchange work(call, communicator);
    return do_persistent_call(call, communicator, work);
  });
}

}  // namespace espalier
