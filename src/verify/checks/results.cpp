// SPDX-License-Identifier: Apache-2.0
#include "verify/checks/results.hpp"

#include <map>

namespace espalier::proof {

namespace {

using Id = Expressions::Id;

class ResultsCheck {
 public:
  ResultsCheck(const AllRanks& all, const SymbolicRun& run, const Expressions& expressions)
      : problem_(all.problem()), blocks_(all.blocks()), run_(run), expressions_(expressions) {}

  std::string check(Rank rank) {
    const Held held = problem_.output(rank, blocks_);
    for (int place = 0; place < held.count; ++place) {
      const std::string wrong = check_block(rank, place, held.label_at(place));
      if (wrong.empty()) continue;
      return "rank " + std::to_string(rank) + ", block " + std::to_string(held.label_at(place)) + " of the output " +
             wrong;
    }
    return {};
  }

 private:
  std::string check_block(Rank rank, int place, int label) {
    const Id first = run_.output(rank, place, 0);
    if (first == Expressions::none) return "was never written";
    const RankRange sources = problem_.sources(rank, label);
    std::string wrong = check_expression(first, sources);
    if (!wrong.empty()) return wrong;
    for (int segment = 0; segment < run_.partition(rank).segments(label); ++segment) {
      const Id id = run_.output(rank, place, segment);
      if (id == Expressions::none) return "was never written";
      if (!run_.output_is(rank, place, segment, label)) return "holds another piece of the message";
      if (id != first && problem_.contract().carries_data) return "is combined differently in its segments";
    }
    return compare_with_others(rank, label, sources, first);
  }

  // What is wrong with this expression as a result, whichever rank holds it.
  std::string check_expression(Id id, RankRange sources) {
    if (problem_.contract().carries_data && !problem_.contract().reduces) {
      return id == Expressions::leaf(sources.first) ? ""
                                                    : "is not what rank " + std::to_string(sources.first) + " gave";
    }
    const auto [known, is_new] = found_.try_emplace({id, sources.count});
    if (is_new) known->second = look_at(id, sources);
    return known->second;
  }

  std::string look_at(Id id, RankRange sources) const {
    for (Rank rank = 0; rank < problem_.size; ++rank) {
      const bool belongs = rank >= sources.first && rank < sources.first + sources.count;
      if (expressions_.holds(id, rank) == belongs) continue;
      return (belongs ? "lacks the contribution of rank " : "holds the contribution of rank ") + std::to_string(rank);
    }
    if (!problem_.contract().carries_data) return {};
    if (expressions_[id].repeats) return "holds a contribution twice";
    if (problem_.needs_rank_order && !expressions_.is_in_rank_order(id, sources))
      return "has its operands not in rank order";
    return {};
  }

  std::string compare_with_others(Rank rank, int label, RankRange sources, Id id) {
    if (!problem_.contract().carries_data) return {};
    const auto [other, is_new] = first_of_.try_emplace({label, sources.count}, FirstResult{rank, id});
    if (is_new || other->second.id == id) return {};
    return "is combined differently than on rank " + std::to_string(other->second.rank);
  }

  struct FirstResult {
    Rank rank;
    Id id;
  };

  const Case& problem_;
  int blocks_;
  const SymbolicRun& run_;
  const Expressions& expressions_;
  std::map<std::pair<Id, Rank>, std::string> found_;      // by expression and number of sources
  std::map<std::pair<int, Rank>, FirstResult> first_of_;  // by label and number of sources
};

}  // namespace

std::string check_results(const AllRanks& all, const SymbolicRun& run, const Expressions& expressions) {
  ResultsCheck results(all, run, expressions);
  for (Rank rank = 0; rank < all.size(); ++rank) {
    std::string wrong = results.check(rank);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

std::vector<std::vector<Id>> results_of(const AllRanks& all, const SymbolicRun& run) {
  std::vector<std::vector<Id>> outputs;
  for (Rank rank = 0; rank < all.size(); ++rank) {
    const int places = all.problem().output(rank, all.blocks()).count;
    std::vector<Id>& output = outputs.emplace_back();
    for (int place = 0; place < places; ++place) output.push_back(run.output(rank, place, 0));
  }
  return outputs;
}

}  // namespace espalier::proof
