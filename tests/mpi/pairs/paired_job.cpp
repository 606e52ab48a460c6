// SPDX-License-Identifier: Apache-2.0
#include "pairs/paired_job.hpp"

#include <algorithm>
#include <set>

#include "mpi/pairs/pair_words.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

namespace {

// What all ranks of the test share; they take turns.
std::map<const void*, int> tags_by_memory;  // of PairedMessages
std::vector<PairedStart> starts;
std::set<std::pair<Rank, PairSide>> broken;
std::map<Rank, Communicator*> worlds;  // by world rank

// The MPI's transport tells starts of one communicator apart by their number alone, which those of several tags share.
constexpr int tags_of_ours = 1 << 22;

template <class Move>
int move(PairSide side, const void* memory, int tag, Move native_move) {
  const auto found = tags_by_memory.find(memory);
  if (found == tags_by_memory.end()) return native_move(tag, false);
  if (broken.contains({fake::my_rank(), side})) return fake::code_of(MPI_ERR_OTHER);
  starts.push_back({fake::my_rank(), side, found->second});
  return native_move(tag + (found->second + 1) * tags_of_ours, true);
}

// A send waits for its receive, as for a grant.
int isend(const void* memory, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return move(PairSide::sends, memory, tag, [&](int its_tag, bool waits) {
    const Native mpi = fake::functions();
    return (waits ? mpi.Issend : mpi.Isend)(memory, count, type, to, its_tag, comm, request);
  });
}

int irecv(void* memory, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  return move(PairSide::receives, memory, tag, [&](int its_tag, bool) {
    return fake::functions().Irecv(memory, count, type, from, its_tag, comm, request);
  });
}

void carry(Rank from, Rank to, const FabricWord& word) {
  const auto found = worlds.find(to);
  Pairs* const pairs = found != worlds.end() ? found->second->pairs().get() : nullptr;
  if (const auto answer = take_word(pairs, from, word)) carry(to, from, *answer);
}

void run(Rank size, const std::function<void(PairedRank&)>& body, Native native) {
  native.Isend = isend;
  native.Irecv = irecv;
  starts.clear();
  fake::run_job(size, {.native = native, .hooks = true}, [&](fake::RankOfJob& here) {
    here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    PairedRank rank(here);
    body(rank);
    rank.barrier();
  });
}

}  // namespace

PairedRank::PairedRank(fake::RankOfJob& here) : here_(here) {
  auto fabric = std::make_unique<FakePairFabric>();
  fabric_ = fabric.get();
  fabric->carry = [me = here.rank()](Rank to, const FabricWord& word) { carry(me, to, word); };
  here.job().settings.paired = true;
  here.job().transports = Transports::fabric;
  here.job().pair_fabric = std::move(fabric);
  EXPECT_EQ(here.communicator().make_pairs(), MPI_SUCCESS);
  worlds[rank()] = &here.communicator();
  barrier();
}

PairedRank::~PairedRank() {
  barrier();
  worlds.erase(rank());
}

MPI_Comm PairedRank::copy_with_pairs() {
  MPI_Comm copy = MPI_COMM_NULL;
  mpi().Comm_dup(MPI_COMM_WORLD, &copy);
  EXPECT_EQ(here_.communicator(copy).make_pairs(), MPI_SUCCESS);
  return copy;
}

void run_paired(Rank size, const std::function<void(PairedRank&)>& body, const Native& native) {
  run(size, body, native);
  EXPECT_EQ(fake::remains(), fake::Remains{});
}

void run_broken(Rank size, const std::function<void(PairedRank&)>& body) {
  run(size, body, fake::functions());
  EXPECT_EQ(fake::remains().requests, 0u);
}

PairedMessage::PairedMessage(PairSide side, Rank peer, int tag, int count, MPI_Comm comm)
    : side_(side), memory_(static_cast<std::size_t>(std::max(count, 1))) {
  tags_by_memory[memory_.data()] = tag;
  const int status = side == PairSide::sends
                         ? ESPALIER_ENTRY(MPI_Send_init)(memory_.data(), count, MPI_INT, peer, tag, comm, &request)
                         : ESPALIER_ENTRY(MPI_Recv_init)(memory_.data(), count, MPI_INT, peer, tag, comm, &request);
  EXPECT_EQ(status, MPI_SUCCESS);
}

PairedMessage::~PairedMessage() {
  if (request != MPI_REQUEST_NULL) free();
  tags_by_memory.erase(memory_.data());
}

bool PairedMessage::is_ours() const { return requests().persistent.find(request) != nullptr; }

void PairedMessage::fill(int value) {
  for (std::size_t k = 0; k < memory_.size(); ++k) {
    memory_[k] = side_ == PairSide::sends ? value + static_cast<int>(k) : -1;
  }
}

void PairedMessage::start(int value) {
  fill(value);
  EXPECT_EQ(ESPALIER_ENTRY(MPI_Start)(&request), MPI_SUCCESS);
}

int PairedMessage::wait(MPI_Status* status) const { return ESPALIER_ENTRY(MPI_Wait)(&request, status); }

void PairedMessage::expect(int value) const {
  if (side_ == PairSide::sends) return;
  std::vector<int> expected;
  for (std::size_t k = 0; k < memory_.size(); ++k) expected.push_back(value + static_cast<int>(k));
  EXPECT_EQ(memory_, expected);
}

void PairedMessage::expect_wait(int value) const {
  EXPECT_EQ(wait(), MPI_SUCCESS);
  expect(value);
}

void PairedMessage::free() {
  EXPECT_EQ(ESPALIER_ENTRY(MPI_Request_free)(&request), MPI_SUCCESS);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
}

std::vector<PairedStart> take_starts(Rank rank) {
  std::vector<PairedStart> found;
  std::ranges::copy_if(starts, std::back_inserter(found), [&](const PairedStart& one) { return one.rank == rank; });
  std::erase_if(starts, [&](const PairedStart& one) { return one.rank == rank; });
  return found;
}

void break_link(Rank rank, PairSide side) { broken.insert({rank, side}); }
void mend_links() { broken.clear(); }

int class_of(int code) {
  int its_class = MPI_SUCCESS;
  fake::functions().Error_class(code, &its_class);
  return its_class;
}

}  // namespace espalier
