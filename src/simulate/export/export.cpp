// SPDX-License-Identifier: Apache-2.0
#include "simulate/export/export.hpp"

#include "algorithms/plan.hpp"
#include "simulate/export/chakra.hpp"
#include "simulate/export/goal.hpp"

namespace espalier {

namespace {

// So many ranks tell how long the others are: the first, which often is the root, and some between it and the last.
constexpr Rank sampled_ranks = 8;

EdgeKinds edges_of(ExportFormat format) {
  return format == ExportFormat::goal ? EdgeKinds::finished_and_started : EdgeKinds::finished;
}

// Returns how many tasks the rank has.
std::uint64_t write_rank(const ExportedCall& call, ExportFormat format, Rank rank, TextSink& sink) {
  const Schedule schedule =
      build_schedule(*call.choice.algorithm, request_for(call.choice, call.problem, call.shape, rank));
  const Partition partition = partition_for(call.choice, call.problem, schedule);
  const std::size_t element_bytes = call.problem.element_bytes;
  const RankGraph graph(schedule, partition, element_bytes, call.choice.cut.window, edges_of(format));
  if (format == ExportFormat::goal) {
    write_goal_rank(rank, graph, call.arithmetic_bytes_per_second, sink);
  } else {
    write_chakra_rank(rank, graph, element_bytes, call.arithmetic_bytes_per_second, sink);
  }
  return graph.tasks();
}

ExportSize export_goal(const ExportedCall& call, const std::string& path, const RankProgress& progress) {
  FileSink file(path);
  ExportSize size;
  write_goal_head(call.shape.size, file);
  for (Rank rank = 0; rank < call.shape.size; ++rank) {
    size.tasks += write_rank(call, ExportFormat::goal, rank, file);
    if (progress) progress(rank + 1);
  }
  file.close();
  size.bytes = file.bytes();
  return size;
}

ExportSize export_chakra(const ExportedCall& call, const std::string& path, const RankProgress& progress) {
  ExportSize size;
  for (Rank rank = 0; rank < call.shape.size; ++rank) {
    FileSink file(path + "." + std::to_string(rank) + ".et");
    size.tasks += write_rank(call, ExportFormat::chakra, rank, file);
    file.close();
    size.bytes += file.bytes();
    if (progress) progress(rank + 1);
  }
  return size;
}

}  // namespace

ExportSize expected_size(const ExportedCall& call, ExportFormat format) {
  const Rank ranks = call.shape.size, samples = std::min(ranks, sampled_ranks);
  CountingSink sink;
  std::uint64_t tasks = 0;
  for (Rank k = 0; k < samples; ++k) {
    tasks += write_rank(call, format, static_cast<Rank>(std::int64_t{k} * ranks / samples), sink);
  }
  const auto of_all = [&](std::uint64_t of_samples) {
    return of_samples * static_cast<std::uint64_t>(ranks) / static_cast<std::uint64_t>(samples);
  };
  return {of_all(tasks), of_all(sink.bytes())};
}

ExportSize export_call(const ExportedCall& call, ExportFormat format, const std::string& path,
                       const RankProgress& progress) {
  return format == ExportFormat::goal ? export_goal(call, path, progress) : export_chakra(call, path, progress);
}

}  // namespace espalier
