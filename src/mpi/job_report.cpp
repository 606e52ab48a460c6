// SPDX-License-Identifier: Apache-2.0
#include "mpi/job_report.hpp"

#include <cstdio>
#include <numeric>
#include <vector>

#include "core/printable.hpp"
#include "mpi/build_id.hpp"
#include "mpi/context.hpp"
#include "mpi/report.hpp"
#include "mpi/report_file.hpp"
#include "settings/table.hpp"

namespace espalier {

namespace {

// The texts of all ranks on rank 0; nothing on the others.
std::vector<std::string> gather(const Native& mpi, const std::string& mine) {
  const bool collects = context->world_rank == 0;
  const auto my_length = static_cast<int>(mine.size());
  std::vector<int> lengths(collects ? context->world_size : 0), starts(lengths.size());
  mpi.Gather(&my_length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, context->traffic);
  std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), 0);
  std::string all(collects ? starts.back() + lengths.back() : 0, '\0');
  mpi.Gatherv(mine.data(), my_length, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR, 0,
              context->traffic);
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < lengths.size(); ++rank) texts.push_back(all.substr(starts[rank], lengths[rank]));
  return texts;
}

Report report_of(const std::vector<std::string>& texts) {
  std::vector<Statistics> ranks;
  for (const std::string& text : texts) ranks.push_back(Statistics::read(text));
  Report report{.version = std::string(library_version),
                .mpi = library_text(context->mpi),
                .ranks = context->world_size,
                .settings = {},
                .rows = rows_of_job(ranks)};
  for (const Setting& setting : settings_table) {
    report.settings.emplace_back(setting.name, value_text(setting, context->settings));
  }
  return report;
}

void write(const std::string& path, const std::string& text) {
  const std::string error = write_report(path, text);
  if (error.empty()) return;
  std::fprintf(stderr, "espalier: ESPALIER_REPORT=%s: the report could not be written there: %s\n",
               printable(path).c_str(), error.c_str());
}

}  // namespace

void write_job_report() try {
  const std::vector<std::string> texts = gather(context->mpi, context->communicators.statistics().written());
  if (context->world_rank == 0) write(context->settings.report, json_of(report_of(texts)));
} catch (const std::exception& error) {
  std::fprintf(stderr, "espalier: no report: %s\n", error.what());
}

std::string library_text(const Native& mpi) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  mpi.Get_library_version(text, &length);
  std::string line(text, static_cast<std::size_t>(length));
  line.resize(line.find_first_of("\n\0", 0, 2) == line.npos ? line.size() : line.find_first_of("\n\0", 0, 2));
  return line;
}

}  // namespace espalier
