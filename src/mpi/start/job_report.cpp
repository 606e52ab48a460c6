// SPDX-License-Identifier: Apache-2.0
#include "mpi/start/job_report.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

#include "core/log.hpp"
#include "core/printable.hpp"
#include "files/write_all.hpp"
#include "mpi/calls/context.hpp"
#include "mpi/job/unanimous.hpp"
#include "mpi/start/build_id.hpp"
#include "report/report.hpp"
#include "report/report_file.hpp"
#include "report/stats_text.hpp"
#include "settings/table.hpp"

namespace espalier {

namespace {

void log_no_report(const char* what) { log_line("rank %d: no report: %s", context->job.world_rank, what); }

// What it takes on this rank to get all texts to rank 0.
struct Gathering {
  Clock::duration wall{};
  std::string mine;
  std::string all;  // this and the rest only on rank 0
  std::vector<int> lengths, starts;
};

int prepare(Gathering& gathering) {
  const auto wall = static_cast<std::uint64_t>(std::chrono::nanoseconds(gathering.wall).count());
  const std::unique_ptr<CallSites>& sites = context->job.sites;
  gathering.mine = RankStatistics{wall, context->communicators.statistics(), context->communicators.contexts(),
                                  sites != nullptr ? rows_of(*sites) : std::vector<SiteRow>()}
                       .written();
  if (context->job.world_rank != 0) return MPI_SUCCESS;
  gathering.lengths.resize(context->job.world_size);
  gathering.starts.resize(context->job.world_size);
  return MPI_SUCCESS;
}

int gather_lengths(Gathering& gathering) {
  const auto mine = static_cast<int>(gathering.mine.size());
  auto& [wall, text, all, lengths, starts] = gathering;
  const int status = context->job.mpi.Gather(&mine, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, context->job.traffic);
  if (status != MPI_SUCCESS || context->job.world_rank != 0) return status;
  std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), 0);
  all.resize(starts.back() + lengths.back());
  return MPI_SUCCESS;
}

int gather_texts(Gathering& gathering) {
  auto& [wall, mine, all, lengths, starts] = gathering;
  return context->job.mpi.Gatherv(mine.data(), static_cast<int>(mine.size()), MPI_CHAR, all.data(), lengths.data(),
                                  starts.data(), MPI_CHAR, 0, context->job.traffic);
}

// A rank that fails must not leave the others waiting in MPI_Finalize.
bool gather(Gathering& gathering) {
  const auto on_all_ranks = [&](int (*step)(Gathering&)) {
    return succeeds_everywhere(
        context->job.mpi, context->job.traffic, [&] { return step(gathering); }, log_no_report);
  };
  return on_all_ranks(prepare) && on_all_ranks(gather_lengths) && on_all_ranks(gather_texts);
}

std::vector<std::string> texts_of(const Gathering& gathering) {
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < gathering.lengths.size(); ++rank) {
    texts.push_back(gathering.all.substr(gathering.starts[rank], gathering.lengths[rank]));
  }
  return texts;
}

// MPICH has tabs in it, or many spaces.
std::string folded(std::string_view text) {
  std::string line;
  for (const char letter : text) {
    const bool is_space = std::isspace(static_cast<unsigned char>(letter)) != 0;
    if (!is_space) line += letter;
    if (is_space && !line.ends_with(' ')) line += ' ';
  }
  return line;
}

Report report_of(const std::vector<std::string>& texts) {
  std::vector<RankStatistics> ranks;
  for (const std::string& text : texts) ranks.push_back(RankStatistics::read(text));
  Report report{.version = std::string(library_version),
                .mpi = library_line(context->job.mpi),
                .ranks = context->job.world_size,
                .settings = {},
                .calls = calls_of_job(ranks),
                .contexts = contexts_of_job(ranks),
                .has_sites = context->job.settings.report_sites,
                .sites = sites_of_job(ranks)};
  for (const Setting& setting : settings_table) {
    report.settings.emplace_back(setting.name, value_text(setting, context->job.settings));
  }
  return report;
}

void print(const std::string& text) { (void)write_all(STDERR_FILENO, printable_lines(text)); }

void write(const std::string& path, const std::string& text) {
  const std::string error = write_report(path, text);
  if (error.empty()) return;
  log_line("ESPALIER_REPORT=%s: the report could not be written there: %s", printable(path).c_str(), error.c_str());
}

}  // namespace

void write_job_report(Clock::duration wall) try {
  Gathering gathering{.wall = wall};
  if (!gather(gathering) || context->job.world_rank != 0) return;
  const Settings& settings = context->job.settings;
  const Report report = report_of(texts_of(gathering));
  if (!settings.report.empty()) write(settings.report, json_of(report));
  if (settings.stats) print(stats_text(report));
} catch (const std::exception& error) {
  log_no_report(error.what());
}

std::string library_line(const Native& mpi) { return folded(library_text(mpi)); }

std::string library_text(const Native& mpi) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  mpi.Get_library_version(text, &length);
  std::string line(text, static_cast<std::size_t>(length));
  line.resize(line.find_first_of("\n\0", 0, 2) == line.npos ? line.size() : line.find_first_of("\n\0", 0, 2));
  std::ranges::replace(line, '\t', ' ');  // MPICH 4's: no file of a memory holds one
  return line;
}

}  // namespace espalier
