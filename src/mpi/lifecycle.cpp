// SPDX-License-Identifier: Apache-2.0
#include "mpi/lifecycle.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "core/printable.hpp"
#include "mpi/build_id.hpp"
#include "mpi/context.hpp"
#include "mpi/entries.hpp"
#include "mpi/job_report.hpp"
#include "mpi/machine_of_job.hpp"
#include "mpi/unanimous.hpp"
#include "select/forced.hpp"
#include "settings/table.hpp"

namespace espalier {

namespace {

[[gnu::format(printf, 1, 2)]] void say_on_rank_0(const char* format, ...) {
  if (context->world_rank != 0) return;
  std::va_list arguments;
  va_start(arguments, format);
  std::fputs("espalier: ", stderr);
  std::vfprintf(stderr, format, arguments);
  std::fputc('\n', stderr);
  va_end(arguments);
}

// Whether this rank, like all others, wants to take part. What keeps the ranks from it is said once.
bool agree_to_take_part(const ParsedSettings& parsed) {
  std::uint64_t stance = hash_of(parsed.settings) ^ build_hash();
  for (const char letter : parsed.error) stance = stance * 31 + static_cast<unsigned char>(letter);
  if (!is_unanimous(context->mpi, MPI_COMM_WORLD, stance)) {
    say_on_rank_0(
        "the ranks have different ESPALIER settings, or different builds of Espalier, so every call goes to the "
        "native MPI. Pass the same environment to all ranks (mpirun -x NAME with Open MPI, -genv NAME VALUE with "
        "MPICH).");
    return false;
  }
  if (!parsed.ok()) say_on_rank_0("%s. Every call goes to the native MPI.", printable(parsed.error).c_str());
  return parsed.ok() && parsed.settings.enabled;
}

bool failed(int status) {
  if (status != MPI_SUCCESS) say_on_rank_0("the MPI failed with code %d at the start: staying out of the way", status);
  return status != MPI_SUCCESS;
}

// Tags of one communicator are a block; as many blocks as the MPI has tags for can be given out.
void limit_ids(const Native& mpi) {
  void* value = nullptr;
  int found = 0;
  mpi.Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
  const int highest_tag = found != 0 ? *static_cast<int*>(value) : 32767;  // MPI guarantees so many
  const int usable = static_cast<int>(std::min<std::int64_t>(id_limit, (std::int64_t{highest_tag} + 1) / max_lanes));
  for (int id = usable; id < id_limit; ++id) context->ids.reserve(id);
}

int find_out_if_crowded(const Native& mpi) {
  MPI_Comm node = MPI_COMM_NULL;
  const int status = mpi.Comm_split_type(context->traffic, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  if (status != MPI_SUCCESS) return status;
  int ranks = 1;
  mpi.Comm_size(node, &ranks);
  context->crowded = ranks > sysconf(_SC_NPROCESSORS_ONLN);
  return mpi.Comm_free(&node);
}

int make_traffic(const Native& mpi) {
  int status = mpi.Comm_dup(MPI_COMM_WORLD, &context->traffic);
  if (status == MPI_SUCCESS) status = mpi.Comm_set_errhandler(context->traffic, MPI_ERRORS_RETURN);
  if (status == MPI_SUCCESS) status = mpi.Comm_group(context->traffic, &context->world_group);
  return status == MPI_SUCCESS ? find_out_if_crowded(mpi) : status;
}

int no_copy(MPI_Comm, int, void*, void*, void*, int* copied) {
  *copied = 0;
  return MPI_SUCCESS;
}

// Runs inside MPI_Finalize while the MPI still works. Once all ranks are here, none of them can use a schedule of ours
// in a call in which another rank, already past this point, uses the native MPI.
int stop(MPI_Comm, int, void*, void*) {
  const Native& mpi = context->mpi;
  if (!context->active.exchange(false)) return MPI_SUCCESS;
  mpi.Barrier(context->traffic);
  if (context->reports()) write_job_report();
  context->communicators.close(mpi);
  context->contiguity.close();
  mpi.Group_free(&context->world_group);
  mpi.Comm_free(&context->traffic);
  return MPI_SUCCESS;
}

// MPI_Finalize first deletes the attributes of MPI_COMM_SELF.
int arrange_stop(const Native& mpi) {
  int keyval = MPI_KEYVAL_INVALID;
  int status = mpi.Comm_create_keyval(no_copy, stop, &keyval, nullptr);
  if (status == MPI_SUCCESS) status = mpi.Comm_set_attr(MPI_COMM_SELF, keyval, nullptr);
  return status == MPI_SUCCESS ? mpi.Comm_free_keyval(&keyval) : status;
}

int open_everything(const Native& mpi) {
  limit_ids(mpi);
  int status = make_traffic(mpi);
  if (status == MPI_SUCCESS) status = learn_machine();
  if (status == MPI_SUCCESS) status = context->communicators.open(mpi);
  if (status == MPI_SUCCESS) status = context->contiguity.open();
  return status == MPI_SUCCESS ? arrange_stop(mpi) : status;
}

void describe_start() {
  std::string settings;
  for (const Setting& setting : settings_table) {
    const std::string value = value_text(setting, context->settings);
    if (value != setting.default_text) settings.append(" ").append(setting.name).append("=").append(value);
  }
  say_on_rank_0("%s with %s on %d rank%s;%s", ESPALIER_VERSION, library_text(context->mpi).c_str(), context->world_size,
                context->world_size == 1 ? "" : "s",
                settings.empty() ? " default settings" : printable(settings).c_str());
}

}  // namespace

void start() try {
  const Native& mpi = context->mpi;
  mpi.Comm_rank(MPI_COMM_WORLD, &context->world_rank);
  mpi.Comm_size(MPI_COMM_WORLD, &context->world_size);
  ParsedSettings parsed = checked_settings(process_environment());
  if (!agree_to_take_part(parsed)) return;
  context->settings = std::move(parsed.settings);
  context->selector = std::make_unique<Selector>(context->settings);
  const bool is_open_mpi = library_text(mpi).find("Open MPI") != std::string::npos;
  context->tolerates_aliases = is_open_mpi;
  context->nic_use = is_open_mpi ? NicUse::all : NicUse::one;
  if (failed(open_everything(mpi))) return;
  if (context->settings.verbose) describe_start();
  context->active.store(true, std::memory_order_release);
} catch (const std::exception& error) {
  std::fprintf(stderr, "espalier: rank %d cannot start: %s\n", context->world_rank, error.what());
}

int entry_Init(int* argc, char*** argv) {
  const int status = context->mpi.Init(argc, argv);
  if (status == MPI_SUCCESS) start();
  return status;
}

int entry_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int status = context->mpi.Init_thread(argc, argv, required, provided);
  if (status == MPI_SUCCESS) start();
  return status;
}

}  // namespace espalier
