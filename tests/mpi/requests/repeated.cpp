// SPDX-License-Identifier: Apache-2.0
#include "requests/repeated.hpp"

namespace espalier {

namespace {

constexpr Rank root = 1;

int init(Kind kind, void* input, void* output, int count, MPI_Comm comm, MPI_Request* request) {
  if (kind == Kind::bcast) {
    return ESPALIER_ENTRY(MPI_Bcast_init)(output, count, MPI_INT, root, comm, MPI_INFO_NULL, request);
  }
  const void* const from = kind == Kind::allreduce ? input : MPI_IN_PLACE;
  return ESPALIER_ENTRY(MPI_Allreduce_init)(from, output, count, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, request);
}

}  // namespace

Repeated::Repeated(const fake::RankOfJob& here, Kind kind, int count, MPI_Comm comm)
    : kind_(kind),
      count_(count),
      me_(here.rank()),
      size_(here.size()),
      input_(static_cast<std::size_t>(count)),
      output_(static_cast<std::size_t>(count)) {
  EXPECT_EQ(init(kind, input_.data(), output_.data(), count, comm, &request), MPI_SUCCESS);
}

Repeated::~Repeated() {
  if (request != MPI_REQUEST_NULL) free();
}

void Repeated::free() {
  EXPECT_EQ(ESPALIER_ENTRY(MPI_Request_free)(&request), MPI_SUCCESS);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
}

void Repeated::fill(int round) {
  round_ = round;
  std::ranges::fill(output_, -1);
  const bool has_input = kind_ != Kind::bcast || me_ == root;
  std::vector<int>& mine = kind_ == Kind::allreduce ? input_ : output_;
  for (int k = 0; has_input && k < count_; ++k) mine[static_cast<std::size_t>(k)] = value(round, me_, k);
}

void Repeated::start(int round) {
  fill(round);
  EXPECT_EQ(ESPALIER_ENTRY(MPI_Start)(&request), MPI_SUCCESS);
}

int Repeated::sum(int k) const {
  int all = 0;
  for (Rank rank = 0; rank < size_; ++rank) all += value(round_, rank, k);
  return all;
}

void Repeated::expect_result() const {
  std::vector<int> expected;
  for (int k = 0; k < count_; ++k) expected.push_back(kind_ == Kind::bcast ? value(round_, root, k) : sum(k));
  EXPECT_EQ(output_, expected);
}

void Repeated::expect_wait() {
  EXPECT_EQ(ESPALIER_ENTRY(MPI_Wait)(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_NE(request, MPI_REQUEST_NULL);
  expect_result();
}

}  // namespace espalier
