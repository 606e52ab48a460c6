// SPDX-License-Identifier: Apache-2.0
// Start and end of our part in a job.

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <optional>

#include "core/hash.hpp"
#include "core/log.hpp"
#include "core/printable.hpp"
#include "memory/directory.hpp"
#include "mpi/calls/context.hpp"
#include "mpi/calls/entries.hpp"
#include "mpi/functions/comm_creation.hpp"
#include "mpi/job/fabric_of_job.hpp"
#include "mpi/job/hosts.hpp"
#include "mpi/job/machine_of_job.hpp"
#include "mpi/job/memory_of_job.hpp"
#include "mpi/job/node_of_job.hpp"
#include "mpi/job/unanimous.hpp"
#include "mpi/job/yielding_calls.hpp"
#include "mpi/pairs/listening.hpp"
#include "mpi/prepared/prepared_communicator.hpp"
#include "mpi/requests/request_call.hpp"
#include "mpi/requests/requests.hpp"
#include "mpi/start/build_id.hpp"
#include "mpi/start/job_log.hpp"
#include "mpi/start/job_report.hpp"
#include "mpi/start/prefault.hpp"
#include "mpi/start/roll_call.hpp"
#include "mpi/types/attributes.hpp"
#include "report/history/job_history.hpp"
#include "select/forced.hpp"
#include "settings/site/layers.hpp"
#include "settings/table.hpp"
#include "transport/fabric/fabric.hpp"
#include "transport/mpi/leftovers.hpp"

namespace espalier {

namespace {

[[gnu::format(printf, 1, 2)]] void log_on_rank_0(const char* format, ...) {
  if (context->job.world_rank != 0) return;
  std::va_list arguments;
  va_start(arguments, format);
  log_line_of(format, arguments);
  va_end(arguments);
}

void log_why_not(const char* what) {
  log_line("rank %d: startup failed: %s. Disabled on all ranks.", context->job.world_rank, what);
}

// What a rank gets ready by itself.
struct StartingRank {
  std::optional<ParsedSettings> parsed;
  std::uint64_t settings_fingerprint = 0;  // equal on all ranks that can take part together
  std::optional<MachineDescription> machine;
  std::vector<int> hosts;
  std::string remembered;
};

template <class Work>
bool do_everywhere(Work work) {
  return succeeds_everywhere(context->job.mpi, MPI_COMM_WORLD, work, log_why_not);
}

std::uint64_t settings_fingerprint_of(const ParsedSettings& parsed) {
  return hash_of_text(parsed.error, hash_of(parsed.settings) ^ build_hash());
}

// Where the environment is the same everywhere, files of settings are not.
void log_what_differs(const ParsedSettings& parsed) {
  const auto environments = settings_fingerprint_of(parse_settings(process_environment()));
  if (!is_unanimous(context->job.mpi, MPI_COMM_WORLD, environments)) {
    log_on_rank_0(
        "ESPALIER settings or builds differ between ranks; disabled on all ranks. Pass the same environment to every "
        "rank (mpirun -x NAME with Open MPI, -genv NAME VALUE with MPICH).");
    return;
  }
  if (!parsed.ok()) log_line("rank %d: %s", context->job.world_rank, printable(parsed.error).c_str());
  log_on_rank_0(
      "ESPALIER settings differ between ranks, by files of settings or what these say of hosts; disabled on all ranks. "
      "Compare `espalier info` on these hosts.");
}

// A file may switch only some ranks off: by program, or as it is on one host.
bool is_switched_off(const ParsedSettings& parsed, const Vote& vote) {
  if (vote.are_all_willing) return false;
  if (parsed.settings.verbose.wants(Topic::start, Level::info) && !parsed.off.empty())
    log_on_rank_0("off: %s", printable(parsed.off).c_str());
  return true;
}

// Whether this rank, like all others, wants to take part. What keeps the ranks from it is said once.
bool agree_to_take_part(const StartingRank& mine) {
  const ParsedSettings& parsed = *mine.parsed;
  const Vote all = vote(context->job.mpi, MPI_COMM_WORLD, mine.settings_fingerprint, parsed.off.empty());
  if (is_switched_off(parsed, all)) return false;
  if (!all.is_unanimous) {
    log_what_differs(parsed);
    return false;
  }
  if (!parsed.ok()) log_on_rank_0("%s. Disabled on all ranks.", printable(parsed.error).c_str());
  return parsed.ok() && parsed.settings.enabled;
}

void share_out_tags(const Native& mpi) {
  void* value = nullptr;
  int found = 0;
  mpi.Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
  const int highest_tag = found != 0 ? *static_cast<int*>(value) : 32767;  // MPI guarantees this many
  context->job.tags = TagLayout::within(highest_tag, id_limit);
  for (int id = context->job.tags.ids; id < id_limit; ++id) context->communicators.ids().reserve(id);
}

// Open MPI says it in an attribute of MPI_COMM_WORLD, which its versions without such functions do not know.
bool is_fault_tolerant([[maybe_unused]] const Native& mpi) {
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5
  if (mpi.Comm_is_revoked == nullptr || mpi.Comm_get_failed == nullptr || mpi.Comm_agree == nullptr) return false;
  void* value = nullptr;
  int found = 0;
  mpi.Comm_get_attr(MPI_COMM_WORLD, MPI_FT, &value, &found);
  return found != 0 && *static_cast<int*>(value) != 0;
#else
  return false;
#endif
}

int make_room_for_memory(StartingRank& mine) {
  const Job& job = context->job;
  return job.remembers ? make_space_to_recall(job, library_version, mine.remembered) : MPI_SUCCESS;
}

// Rank 0 broadcasts what it remembers.
int remember(StartingRank& mine) {
  const Job& job = context->job;
  if (!job.remembers) return MPI_SUCCESS;
  std::vector<PlacementMemory> memories;
  const int status = recall(job, mine.remembered, memories);
  if (status != MPI_SUCCESS) return status;
  auto memory = std::make_shared<Memory>(std::move(memories));
  context->job.has_laws = memory->has_laws();
  context->selector = std::make_unique<Selector>(job.settings, context->selector->network_chooser(), std::move(memory));
  return MPI_SUCCESS;
}

// Of the wall time, by the rank that waited most; less than 0: it is not known.
double most_waited_for_processor(Clock::duration wall) noexcept {
  const Job& job = context->job;
  const double seconds = std::chrono::duration<double>(wall).count();
  const double mine = seconds > 0 ? (waited_for_processor() - job.processor_wait_at_begin) / seconds : 0;
  double most = -1;
  const int status = yielding_allreduce(job.mpi, &mine, &most, 1, MPI_DOUBLE, MPI_MAX, job.traffic);
  return status == MPI_SUCCESS ? most : -1;
}

void keep_what_was_learnt(double waited) try {
  if (context->job.world_rank != 0 || context->selector->memory() == nullptr) return;
  keep_memory(context->job, library_version, context->selector->memory()->learnt(), waited);
} catch (const std::exception& error) {
  log_on_rank_0("memory: what was learnt is lost: %s", error.what());
}

int make_traffic(const Native& mpi) {
  int status = mpi.Comm_dup(MPI_COMM_WORLD, &context->job.traffic);
  if (status == MPI_SUCCESS) status = mpi.Comm_set_errhandler(context->job.traffic, MPI_ERRORS_RETURN);
  return status == MPI_SUCCESS ? mpi.Comm_group(context->job.traffic, &context->job.world_group) : status;
}

void close_communicators() try { context->communicators.close(); } catch (const std::exception&) {
  // They have all been passed on to the native MPI already; only a part of the counts is lost.
}

// False if some ranks died.
bool gather_verdicts(const Native& mpi) {
  int flag = 1;
  return (context->job.fault_tolerant ? mpi.Comm_agree(context->job.traffic, &flag)
                                      : mpi.Barrier(context->job.traffic)) == MPI_SUCCESS;
}

// As far as somebody wants to read it; the same on all ranks.
void tell_what_was_done(Clock::duration wall) {
  const Settings& settings = context->job.settings;
  if (!settings.report.empty() || settings.stats) write_job_report(wall);
  if (!settings.log_dir.empty()) write_job_log(wall);
}

// Runs at the beginning of MPI_Finalize. Once all ranks are here, none of them can use a schedule of ours
// in a call in which another rank, already past this point, uses the native MPI.
int stop(MPI_Comm, int, void*, void*) {
  const Native& mpi = context->job.mpi;
  if (!context->active.exchange(false)) return MPI_SUCCESS;
  const Clock::duration wall = Clock::now() - context->job.began;
  const bool all_are_here = gather_verdicts(mpi);
  if (all_are_here) tell_what_was_done(wall);
  const double waited = all_are_here && context->job.remembers ? most_waited_for_processor(wall) : -1;
  close_requests(context->job);
  close_communicators();
  keep_what_was_learnt(waited);
  context->job.contiguity.close();
  bool is_empty = true;
  for (Rank rank = 0; rank < context->job.world_size; ++rank) {
    is_empty = discard_leftovers(mpi, context->job.traffic, rank, MPI_ANY_TAG) && is_empty;
  }
  mpi.Group_free(&context->job.world_group);
  // MPICH ends the job if there is something left in a communicator that is freed.
  if (is_empty) mpi.Comm_free(&context->job.traffic);
  return MPI_SUCCESS;
}

// Where MPI_Finalize is not called through us: it first deletes the attributes of MPI_COMM_SELF.
int arrange_stop(const Native& mpi) {
  int keyval = MPI_KEYVAL_INVALID;
  int status = mpi.Comm_create_keyval(no_copy<MPI_Comm>, stop, &keyval, nullptr);
  if (status == MPI_SUCCESS) status = mpi.Comm_set_attr(MPI_COMM_SELF, keyval, nullptr);
  return status == MPI_SUCCESS ? mpi.Comm_free_keyval(&keyval) : status;
}

int read_settings(StartingRank& mine) {
  mine.parsed = checked_settings(layered_settings(process_environment()));
  mine.settings_fingerprint = settings_fingerprint_of(*mine.parsed);
  return MPI_SUCCESS;
}

// All that takes memory, so that what the ranks do together afterwards needs none.
int prepare(StartingRank& mine) {
  const Native& mpi = context->job.mpi;
  context->job.settings = mine.parsed->settings;
  context->selector = std::make_unique<Selector>(context->job.settings);
  mine.machine = read_machine_of_job(context->job.settings.topology, context->job.world_size);
  context->job.remembers = !context->job.settings.memory.empty();
  const Settings& settings = context->job.settings;
  context->job.memory_places = memory_places(settings.memory, settings.site_memory, settings.memory_trust);
  context->job.mpi_text = library_text(mpi);
  const bool is_open_mpi = context->job.mpi_text.find("Open MPI") != std::string::npos;
  context->job.is_open_mpi = is_open_mpi;
  context->job.nic_use = is_open_mpi ? NicUse::all : NicUse::one;
  context->job.fault_tolerant = is_fault_tolerant(mpi);
  mine.hosts = room_for_hosts(context->job);
  if (settings.report_sites && settings.reports()) context->job.sites = std::make_unique<CallSites>();
  share_out_tags(mpi);
  int status = context->communicators.open(make_prepared_communicator);
  if (status == MPI_SUCCESS) status = context->job.contiguity.open();
  return status == MPI_SUCCESS ? arrange_stop(mpi) : status;
}

void describe_start() {
  std::string settings;
  for (const Setting& setting : settings_table) {
    const std::string value = value_text(setting, context->job.settings);
    if (value != setting.default_text) settings.append(" ").append(setting.name).append("=").append(value);
  }
  log_on_rank_0("%s with %s on %d rank%s;%s", ESPALIER_VERSION, library_line(context->job.mpi).c_str(),
                context->job.world_size, context->job.world_size == 1 ? "" : "s",
                settings.empty() ? " default settings" : printable(settings).c_str());
}

void describe_start_if_asked() try {
  if (context->job.settings.verbose.wants(Topic::start, Level::info)) describe_start();
} catch (const std::exception&) {
  // All ranks have agreed to start, and this is only a message.
}

// A row of steps. Before each, all ranks know that the last one went well on all of them: so all become active, or
// none. What a row that ends early leaves behind (attribute keys, a communicator) lies idle until the MPI ends.
bool start_together() {
  const Native& mpi = context->job.mpi;
  StartingRank mine;
  return do_everywhere([&] { return read_settings(mine); }) && agree_to_take_part(mine) &&
         do_everywhere([&] { return prepare(mine); }) && do_everywhere([&] { return make_traffic(mpi); }) &&
         do_everywhere([&] { return find_hosts(context->job, mine.hosts); }) &&
         do_everywhere([&] { return agree_on_machine(context->job, *mine.machine); }) &&
         do_everywhere([&] { return open_fabric(context->job); }) &&
         do_everywhere([&] { return open_node(context->job); }) &&
         do_everywhere([&] { return make_room_for_memory(mine); }) && do_everywhere([&] { return remember(mine); });
}

// So that calls of which nobody waits for all others can be ours there, too. Where ranks share processors, to meet
// natively takes turns of the system.
bool meet_on_world() {
  const Job& job = context->job;
  if (!job.is_one_node || job.crowded || job.world_size == 1) return true;
  Communicator* world = nullptr;
  const auto find = [&] {
    const Communicators::Found found = context->communicators.find_or_add(MPI_COMM_WORLD);
    world = found.communicator;
    return world != nullptr ? found.raised : MPI_ERR_OTHER;
  };
  return do_everywhere(find) && do_everywhere([&] { return world->join({}); });
}

// The first communicator that persistent messages may be paired on.
void begin_pairing() {
  if (!context->job.settings.paired) return;
  if (pairs_are_wanted()) {
    context->job.fabric->set_word_receiver(listen_to_pairs);
    return get_to_know(MPI_COMM_WORLD, MPI_COMM_NULL);
  }
  log_on_rank_0("ESPALIER_PERSISTENT=paired: %s, so persistent messages are the native MPI's.",
                context->job.fabric == nullptr ? "no network interfaces are used through libfabric" : why::no_requests);
}

// After the native MPI_Init, on all ranks: agrees on whether to take part, and makes what is needed for it. The end
// comes by itself, as the first thing that MPI_Finalize does.
void start() {
  const Native& mpi = context->job.mpi;
  mpi.Comm_rank(MPI_COMM_WORLD, &context->job.world_rank);
  mpi.Comm_size(MPI_COMM_WORLD, &context->job.world_size);
  if (call_roll(mpi, context->job.host.mpi_handle, context->job.world_rank, context->job.world_size) ==
      Attendance::some)
    return;
  if (!start_together() || !meet_on_world()) return;
  describe_start_if_asked();
  open_requests(context->job);
  begin_pairing();
  prefault();
  context->job.began = Clock::now();
  if (context->job.remembers) context->job.processor_wait_at_begin = waited_for_processor();
  context->active.store(true, std::memory_order_release);
}

int entry_Init(int* argc, char*** argv) {
  announce(context->job.mpi);
  const int status = context->job.mpi.Init(argc, argv);
  if (status == MPI_SUCCESS) start();
  return status;
}

int entry_Init_thread(int* argc, char*** argv, int required, int* provided) {
  announce(context->job.mpi);
  const int status = context->job.mpi.Init_thread(argc, argv, required, provided);
  if (status == MPI_SUCCESS) start();
  return status;
}

// A session may start the MPI long before MPI_Init, or without it.
int entry_Session_init(MPI_Info info, MPI_Errhandler handler, void* session) {
  const Native& mpi = context->job.mpi;
  if (mpi.Session_init == nullptr) return MPI_ERR_UNSUPPORTED_OPERATION;
  announce(mpi);
  return mpi.Session_init(info, handler, session);
}

// MPICH waits for what hooks into its progress before it deletes attributes.
int entry_Finalize() {
  (void)stop(MPI_COMM_SELF, MPI_KEYVAL_INVALID, nullptr, nullptr);
  return context->job.mpi.Finalize();
}

const Entries entries({entry("MPI_Init", entry_Init), entry("MPI_Init_thread", entry_Init_thread),
                       entry("MPI_Session_init", entry_Session_init), entry("MPI_Finalize", entry_Finalize)});

}  // namespace

}  // namespace espalier
