// SPDX-License-Identifier: Apache-2.0
// A message leaves at once, with a copy of its data, and lies there until a receive meets it.
#include <algorithm>

#include "fake/state.hpp"

namespace espalier::fake {

namespace {

bool meets(const Request& receive, const MessageUnderWay& message) {
  return receive.comm == message.comm && receive.target == message.target &&
         (receive.source == message.source || receive.source == MPI_ANY_SOURCE) &&
         (receive.tag == message.tag || receive.tag == MPI_ANY_TAG);
}

MPI_Status status_of(const MessageUnderWay& message) {
  MPI_Status status{};
  status.MPI_SOURCE = find_comm(message.comm)->rank_of(message.source);
  status.MPI_TAG = message.tag;
  status.count_lo = static_cast<int>(message.data.size());
  return status;
}

void deliver(const MessageUnderWay& message, Request& receive) {
  const bool fits = unpack(message.data, receive.buffer, receive.count, receive.type);
  receive.error = fits ? MPI_SUCCESS : code_of(MPI_ERR_TRUNCATE);
  receive.status = status_of(message);
  receive.is_over = true;
  if (message.waits != MPI_REQUEST_NULL) state().requests.at(message.waits).is_over = true;
  note_progress();
}

void leave(MessageUnderWay message) {
  std::list<MPI_Request>& receives = state().receives;
  const auto met =
      std::ranges::find_if(receives, [&](MPI_Request receive) { return meets(state().requests.at(receive), message); });
  if (met == receives.end()) return state().messages.push_back(std::move(message));
  deliver(message, state().requests.at(*met));
  receives.erase(met);
}

std::list<MessageUnderWay>::iterator first_for(const Request& receive) {
  return std::ranges::find_if(state().messages, [&](const auto& message) { return meets(receive, message); });
}

// Why such a message cannot be; MPI_SUCCESS if it can.
int wrong(MPI_Comm comm, int peer, int count, MPI_Datatype type) {
  const Comm* const found = find_comm(comm);
  if (found == nullptr) return MPI_ERR_COMM;
  if (count < 0) return MPI_ERR_COUNT;
  const Type* const its_type = find_type(type);
  if (its_type == nullptr || !its_type->committed) return MPI_ERR_TYPE;
  if (peer != MPI_PROC_NULL && (peer < 0 || peer >= static_cast<int>(found->members.size()))) return MPI_ERR_RANK;
  return MPI_SUCCESS;
}

// What is no rank stays what it is.
int world_rank(MPI_Comm comm, int rank) {
  return rank < 0 ? rank : find_comm(comm)->members[static_cast<std::size_t>(rank)];
}

int start_send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request,
               bool is_synchronous) {
  if (const int error = wrong(comm, to, count, type); error != MPI_SUCCESS) return raise(comm, error);
  *request = state().requests.add({.is_over = !is_synchronous || to == MPI_PROC_NULL, .comm = comm});
  if (to == MPI_PROC_NULL) return MPI_SUCCESS;
  leave({.comm = comm,
         .source = my_rank(),
         .target = world_rank(comm, to),
         .tag = tag,
         .data = packed(buffer, count, *find_type(type)),
         .waits = is_synchronous ? *request : MPI_REQUEST_NULL});
  return MPI_SUCCESS;
}

int isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return start_send(buffer, count, type, to, tag, comm, request, false);
}

int issend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return start_send(buffer, count, type, to, tag, comm, request, true);
}

Request receive_of(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm) {
  return {.comm = comm,
          .source = world_rank(comm, from),
          .target = my_rank(),
          .tag = tag,
          .buffer = static_cast<std::byte*>(buffer),
          .count = count,
          .type = *find_type(type)};
}

void post_receive(MPI_Request request) {
  Request& receive = state().requests.at(request);
  if (receive.source == MPI_PROC_NULL) {
    receive.status = {.MPI_SOURCE = MPI_PROC_NULL, .MPI_TAG = MPI_ANY_TAG};
    receive.is_over = true;
    return;
  }
  const auto message = first_for(receive);
  if (message == state().messages.end()) return state().receives.push_back(request);
  deliver(*message, receive);
  state().messages.erase(message);
}

int wrong_receive(MPI_Comm comm, int from, int count, MPI_Datatype type) {
  return wrong(comm, from == MPI_ANY_SOURCE ? MPI_PROC_NULL : from, count, type);
}

int irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  if (const int error = wrong_receive(comm, from, count, type); error != MPI_SUCCESS) return raise(comm, error);
  *request = state().requests.add(receive_of(buffer, count, type, from, tag, comm));
  post_receive(*request);
  return MPI_SUCCESS;
}

int recv_init(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  if (const int error = wrong_receive(comm, from, count, type); error != MPI_SUCCESS) return raise(comm, error);
  Request receive = receive_of(buffer, count, type, from, tag, comm);
  receive.is_active = false;
  receive.start = post_receive;
  *request = state().requests.add(std::move(receive));
  return MPI_SUCCESS;
}

template <bool is_synchronous>
int send_init(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  if (const int error = wrong(comm, to, count, type); error != MPI_SUCCESS) return raise(comm, error);
  const Type its_type = *find_type(type);
  const auto start = [=](MPI_Request its) {
    state().requests.at(its).is_over = !is_synchronous || to == MPI_PROC_NULL;
    if (to == MPI_PROC_NULL) return;
    leave({.comm = comm,
           .source = my_rank(),
           .target = world_rank(comm, to),
           .tag = tag,
           .data = packed(buffer, count, its_type),
           .waits = is_synchronous ? its : MPI_REQUEST_NULL});
  };
  *request = state().requests.add({.comm = comm, .start = start, .is_active = false});
  return MPI_SUCCESS;
}

int send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int status = isend(buffer, count, type, to, tag, comm, &request);
  return status == MPI_SUCCESS ? wait(&request, MPI_STATUS_IGNORE) : status;
}

int recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int started = irecv(buffer, count, type, from, tag, comm, &request);
  return started == MPI_SUCCESS ? wait(&request, status) : started;
}

// MPICH's threads would wait for themselves: what makes progress holds its locks.
int sendrecv(const void* from, int from_count, MPI_Datatype from_type, int to_rank, int to_tag, void* to, int to_count,
             MPI_Datatype to_type, int from_rank, int from_tag, MPI_Comm comm, MPI_Status* status) {
  if (is_inside_hook()) return MPI_ERR_OTHER;
  const int sent = send(from, from_count, from_type, to_rank, to_tag, comm);
  return sent == MPI_SUCCESS ? recv(to, to_count, to_type, from_rank, from_tag, comm, status) : sent;
}

// A rank that asks again and again may wait for something else than what is there.
int probe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  make_progress();
  pass_on();
  const auto message = first_for({.comm = comm, .source = world_rank(comm, from), .target = my_rank(), .tag = tag});
  *flag = message != state().messages.end() ? 1 : 0;
  if (*flag != 0 && status != MPI_STATUS_IGNORE) *status = status_of(*message);
  return MPI_SUCCESS;
}

int get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
  *count = status->count_lo / static_cast<int>(find_type(type)->size());
  return MPI_SUCCESS;
}

}  // namespace

void add_messages(Native& table) {
  table.Send = send;
  table.Isend = isend;
  table.Issend = issend;
  table.Recv = recv;
  table.Irecv = irecv;
  table.Recv_init = recv_init;
  table.Send_init = table.Rsend_init = send_init<false>;
  table.Ssend_init = send_init<true>;
  table.Iprobe = probe;
  table.Get_count = get_count;
  table.Sendrecv = sendrecv;
}

}  // namespace espalier::fake
