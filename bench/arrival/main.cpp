// SPDX-License-Identifier: Apache-2.0
// Paper 4's benchmarks (a) and (b) in simulated time, next to what was measured there, as JSON:
//     espalier-bench-arrival
// A row: {"benchmark", "size", "case", "time", "variant", "ms", "paper_ms"}; "case" is N of the matrices in (a), the
// pattern's number in (b); of (b) the paper has no times, but shares of them.
#include <cstdio>

#include "arrival/largest_effect.hpp"
#include "arrival/random_load.hpp"

namespace espalier::arrival {

namespace {

struct Subject {
  char benchmark;
  const char* size;
  int number;
  const char* time;
};

void print_row(const Subject& subject, const char* variant, double found, double measured) {
  static const char* separator = "[";
  std::printf(R"(%s{"benchmark": "%c", "size": "%s", "case": %d, "time": "%s", "variant": "%s", "ms": %.6g, )",
              separator, subject.benchmark, subject.size, subject.number, subject.time, variant, found);
  separator = ",\n";
  measured > 0 ? std::printf(R"("paper_ms": %.6g})", measured) : std::printf(R"("paper_ms": null})");
}

void print_effect(const Subject& subject, const paper::Measured& found, double ordered,
                  const paper::Measured& measured) {
  print_row(subject, "binomial", found.original, measured.original);
  print_row(subject, "swap", found.optimised, measured.optimised);
  print_row(subject, "ideal", found.ideal, measured.ideal);
  print_row(subject, "order", ordered, 0);
}

void print_largest_effects() {
  for (const paper::Row& row : paper::rows) {
    for (std::size_t load = 0; load < paper::loads.size(); ++load) {
      const LargestEffect played = play_largest_effect(row, load);
      const int size = paper::loads[load];
      print_effect({'a', row.size, size, "overall"}, played.overall, played.ordered_overall, row.overall[load]);
      print_effect({'a', row.size, size, "mean"}, played.mean, played.ordered_mean, row.mean[load]);
    }
  }
}

void print_load(const Subject& subject, const paper::Measured& found) {
  print_row(subject, "binomial", found.original, 0);
  print_row(subject, "swap", found.optimised, 0);
  print_row(subject, "order", found.ideal, 0);
}

void print_random_loads() {
  for (const std::size_t row : {0U, 5U}) {  // 1 B and 1 MiB
    int pattern = 0;
    for (const RandomLoad& played : play_random_loads(paper::rows[row])) {
      print_load({'b', paper::rows[row].size, pattern, "overall"}, played.overall);
      print_load({'b', paper::rows[row].size, pattern++, "mean"}, played.mean);
    }
  }
}

}  // namespace

}  // namespace espalier::arrival

int main() {
  espalier::arrival::print_largest_effects();
  espalier::arrival::print_random_loads();
  std::puts("]");
}
