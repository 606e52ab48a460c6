// SPDX-License-Identifier: Apache-2.0
#include "report/history/job_history.hpp"

#include <algorithm>
#include <functional>

#include "contract/contract.hpp"
#include "report/json.hpp"

namespace espalier {

namespace {

constexpr std::size_t max_kept = 128, max_choices = 4;  // contexts of a job, algorithms of each

std::string json_of(const ObservedTimes& times) {
  return json::Object()
      .add("choice", times.choice)
      .add("timed", times.timed)
      .add("low", times.low)
      .add("median", times.median)
      .add("high", times.high)
      .text();
}

std::string json_of(ContextMemory context) {
  const ContextKey& key = context.key;
  std::ranges::stable_sort(context.observed, std::greater{}, &ObservedTimes::timed);
  if (context.observed.size() > max_choices) context.observed.resize(max_choices);
  json::Object object;
  object.add("collective", name_of(key.collective)).add("bytes_low", key.bytes_low).add("bytes_high", key.bytes_high);
  if (contract_of(key.collective).is_rooted()) object.add("root", key.root);
  if (key.element_bytes > 0) object.add("element_bytes", key.element_bytes);
  if (contract_of(key.collective).reduces) object.add("arithmetic", name_of(key.arithmetic));
  if (key.is_uneven) object.add("uneven", true);
  const auto json_of_times = [](const ObservedTimes& times) { return json_of(times); };
  return object.add("calls", static_cast<std::int64_t>(context.calls))
      .add_raw("times", json::list_of(context.observed, json_of_times))
      .text();
}

double seconds_of(const ContextMemory& context) { return context.calls * context.observed.front().median; }

// Those in which most time went.
std::vector<ContextMemory> observed_of(const PlacementMemory& memory) {
  std::vector<ContextMemory> contexts = memory.contexts;
  std::erase_if(contexts, [](const ContextMemory& one) { return one.observed.empty(); });
  std::ranges::stable_sort(contexts, std::greater{}, seconds_of);
  if (contexts.size() > max_kept) contexts.resize(max_kept);
  return contexts;
}

std::string line_of(const PlacementMemory& memory, const std::vector<ContextMemory>& contexts, const Circumstances& c) {
  const Placement& placement = memory.placement;
  const auto as_text = [](const std::string& text) { return json::text_of(text); };
  return json::Object()
      .add("at", c.at)
      .add("run", c.run)
      .add("program", c.program)
      .add("world_ranks", c.world_ranks)
      .add("library", memory.library)
      .add("mpi", placement.mpi)
      .add("network", placement.network)
      .add("ranks", placement.ranks)
      .add("nodes", placement.nodes)
      .add("host", c.host)
      .add("host_list", c.host_list)
      .add("kernel", c.kernel)
      .add_raw("nics", json::list_of(c.nics, as_text))
      .add("load", c.load)
      .add("waited", c.waited)
      .add_raw("contexts", json::list_of(contexts, [](const ContextMemory& one) { return json_of(one); }))
      .text();
}

}  // namespace

std::vector<HistoryLine> history_of(const std::vector<PlacementMemory>& learnt, const Circumstances& circumstances) {
  std::vector<HistoryLine> lines;
  for (const PlacementMemory& memory : learnt) {
    const std::vector<ContextMemory> contexts = observed_of(memory);
    if (!contexts.empty())
      lines.push_back({name_of_history(memory.placement), line_of(memory, contexts, circumstances)});
  }
  return lines;
}

}  // namespace espalier
