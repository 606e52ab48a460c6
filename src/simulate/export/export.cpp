// SPDX-License-Identifier: Apache-2.0
#include "simulate/export/export.hpp"

#include "algorithms/plan.hpp"
#include "simulate/export/chakra.hpp"
#include "simulate/export/goal.hpp"

namespace espalier {

namespace {

// This many ranks tell how long the others are: the first, which often is the root, and some between it and the last.
constexpr Rank sampled_ranks = 8;
constexpr int sampled_items = 1000;  // of each of their operations

EdgeKinds edges_of(ExportFormat format) {
  return format == ExportFormat::goal ? EdgeKinds::finished_and_started : EdgeKinds::finished;
}

// One rank's schedule, and the graph of it.
class ExportedRank {
 public:
  ExportedRank(const ExportedCall& call, ExportFormat format, Rank rank)
      : call_(call),
        format_(format),
        rank_(rank),
        schedule_(build_schedule(*call.choice.algorithm, request_for(call.choice, call.problem, call.shape, rank))),
        partition_(partition_for(call.choice, call.problem, schedule_)),
        graph_(schedule_, partition_, call.problem.element_bytes, call.choice.cut.window, edges_of(format)) {}

  RankGraph& graph() { return graph_; }
  void write(TextSink& sink) const {
    if (format_ == ExportFormat::goal) {
      write_goal_rank(rank_, graph_, call_.arithmetic_bytes_per_second, sink);
    } else {
      write_chakra_rank(rank_, graph_, call_.problem.element_bytes, call_.arithmetic_bytes_per_second, sink);
    }
  }

 private:
  const ExportedCall& call_;
  ExportFormat format_;
  Rank rank_;
  Schedule schedule_;
  Partition partition_;
  RankGraph graph_;
};

ExportSize expected_size(const ExportedCall& call, ExportFormat format, Rank rank) {
  ExportedRank exported(call, format, rank);
  exported.graph().visit_at_most(sampled_items);
  std::uint64_t visited = 0;
  exported.graph().for_each_item([&](Item) { ++visited; });
  CountingSink sink;
  exported.write(sink);
  const std::uint64_t tasks = exported.graph().tasks();
  const double all = static_cast<double>(tasks) / static_cast<double>(std::max<std::uint64_t>(visited, 1));
  return {tasks, static_cast<std::uint64_t>(static_cast<double>(sink.bytes()) * all)};
}

// Returns how many tasks the rank has.
std::uint64_t write_rank(const ExportedCall& call, ExportFormat format, Rank rank, TextSink& sink) {
  ExportedRank exported(call, format, rank);
  exported.write(sink);
  return exported.graph().tasks();
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
  ExportSize sum;
  for (Rank k = 0; k < samples; ++k) {
    const ExportSize size = expected_size(call, format, static_cast<Rank>(std::int64_t{k} * ranks / samples));
    sum.tasks += size.tasks;
    sum.bytes += size.bytes;
  }
  const auto of_all = [&](std::uint64_t of_samples) {
    return of_samples * static_cast<std::uint64_t>(ranks) / static_cast<std::uint64_t>(samples);
  };
  return {of_all(sum.tasks), of_all(sum.bytes)};
}

ExportSize export_call(const ExportedCall& call, ExportFormat format, const std::string& path,
                       const RankProgress& progress) {
  return format == ExportFormat::goal ? export_goal(call, path, progress) : export_chakra(call, path, progress);
}

}  // namespace espalier
