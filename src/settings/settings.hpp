// SPDX-License-Identifier: Apache-2.0
// What can be set. `table.hpp` lists the settings; this is what they become. Environment variables set them, and below
// these files of the user and of the site (site/).
//
// Settings must be equal on all ranks (hash_of() is compared at Init), since decisions depend on them.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.hpp"
#include "files/trusted_directory.hpp"
#include "settings/verbosity.hpp"

namespace espalier {

// What happens to reductions in which the order of the operands shows in the bits.
enum class Reproducible : std::uint8_t {
  run,     // the order is fixed by ranks, size and library version: equal from call to call and from run to run
  off,     // any order may be tried
  native,  // left to the native MPI
};

// How algorithms are chosen that are not forced.
enum class TuningPolicy : std::uint8_t {
  estimate,        // once for all, by the network or a fixed table
  race,            // by how long calls take, at a bounded cost
  star,            // as STAR-MPI does it
  adcl,            // as ADCL does it
  intel,           // as Intel MPI does it
  star_by_winner,  // as STAR-MPI does it, if it compares the winner with itself
};

// How messages of ours travel.
enum class TransportWanted : std::uint8_t {
  automatic,  // as is faster
  mpi,        // by the native MPI's point-to-point functions
  fabric,     // by libfabric's remote writes
};

// What a job's log says next to its calls.
enum class LogContent : std::uint8_t {
  everything,
  no_user,     // not who ran it, and where
  only_calls,  // nor which job and program
};

// What tools find among the MPI's own variables (MPI_T).
enum class ToolVariables : std::uint8_t {
  none,
  untimed,  // calls and settings
  timed,    // and bytes and times, so that every call is timed
};

// What concerns choosing while the program runs.
struct TuningSettings {
  TuningPolicy policy = TuningPolicy::estimate;
  double budget = .01;  // share of the native MPI's time that learning may cost
  Reproducible reproducible = Reproducible::run;
  bool keeps_log = false;  // of what was measured, for a report
};

// One part of ESPALIER_ALGORITHM: "allreduce:ring,segment=16KiB". Whether the algorithm exists, and takes these
// parameters, is checked by select/, which knows the registry.
struct ForcedChoice {
  Collective collective = Collective::bcast;
  std::string algorithm;  // or "native", or "in-turn"
  std::optional<std::size_t> segment_bytes;
  std::optional<int> window;
  std::optional<int> radix;
  std::optional<int> leaders;
  std::optional<Transport> over;
  std::string arrange;  // "order", "swap", "swap(16)", or the ranks by place: "0/3/2/1"; empty: they are not arranged

  [[nodiscard]] bool native() const { return algorithm == "native"; }
  [[nodiscard]] bool in_turn() const { return algorithm == "in-turn"; }
  friend bool operator==(const ForcedChoice&, const ForcedChoice&) = default;
};

// Of "swap" and "swap(16)", as ForcedChoice::arrange has them: broadcasts until the first exchange is looked for; 0:
// none is given. Nothing: the text says something else.
inline constexpr std::size_t max_swap_interval = 1 << 14;
[[nodiscard]] std::optional<int> swap_interval(std::string_view arrange);

// The later ones go before the others.
enum class Origin : std::uint8_t { default_value, site, user, environment };
inline constexpr std::size_t setting_count = 32;

struct Settings {
  Settings();  // every setting has its default from the table

  bool enabled;                                 // ESPALIER
  std::vector<ForcedChoice> algorithms;         // ESPALIER_ALGORITHM, at most one per collective
  TuningPolicy policy;                          // ESPALIER_POLICY
  double budget_percent;                        // ESPALIER_BUDGET
  Reproducible reproducible;                    // ESPALIER_REPRODUCIBLE
  bool arrival;                                 // ESPALIER_ARRIVAL
  std::string memory;                           // ESPALIER_MEMORY; empty: nothing is remembered
  Trust memory_trust;                           // ESPALIER_MEMORY_TRUST
  std::string site_memory;                      // ESPALIER_SITE_MEMORY; empty: there is none
  std::string report;                           // ESPALIER_REPORT; empty: no report, and no timing at all
  int cache;                                    // ESPALIER_CACHE
  std::string topology;                         // ESPALIER_TOPOLOGY; empty: nothing is known of the network
  TransportWanted transport;                    // ESPALIER_TRANSPORT
  bool shared_memory;                           // ESPALIER_SHARED_MEMORY
  int first_calls;                              // ESPALIER_FIRST_CALLS
  std::string nics;                             // ESPALIER_NICS; empty: all
  int connections;                              // ESPALIER_CONNECTIONS; 0: as the network needs them
  int lane_timeout;                             // ESPALIER_LANE_TIMEOUT, seconds
  std::string packer;                           // ESPALIER_PACKER
  std::string aggregation;                      // ESPALIER_AGGREGATION
  bool paired;                                  // ESPALIER_PERSISTENT: `paired`
  bool device;                                  // ESPALIER_DEVICE
  Verbosity verbose;                            // ESPALIER_VERBOSE
  std::string verbose_file;                     // ESPALIER_VERBOSE_FILE; empty: standard error
  std::string log_dir;                          // ESPALIER_LOG_DIR; empty: no log
  std::string log_mode;                         // ESPALIER_LOG_MODE
  LogContent log_content;                       // ESPALIER_LOG_CONTENT
  bool stats;                                   // ESPALIER_STATS
  bool report_sites;                            // ESPALIER_REPORT_SITES
  ToolVariables mpi_t;                          // ESPALIER_MPI_T
  std::string site_file;                        // ESPALIER_SITE_FILE; empty: none
  std::string run;                              // ESPALIER_RUN; the report repeats it
  std::array<Origin, setting_count> origins{};  // in the order of the table
  // "FILE:LINE" of those that are from a file.
  std::array<std::string, setting_count> places;

  // Whether calls are counted and timed for somebody to read.
  [[nodiscard]] bool reports() const {
    return !report.empty() || !log_dir.empty() || stats || mpi_t == ToolVariables::timed;
  }
  // Whether ESPALIER_ALGORITHM has a word on it.
  [[nodiscard]] bool forces(Collective collective) const {
    return std::ranges::find(algorithms, collective, &ForcedChoice::collective) != algorithms.end();
  }
};

struct ParsedSettings {
  Settings settings;  // if there is an error: the defaults, but not enabled
  std::string error;  // empty, or one line: the setting, its value, and what is allowed
  std::string off;    // why a file switches it off; empty: none does

  [[nodiscard]] bool ok() const { return error.empty(); }
};

// Reads "NAME=value" strings. Names that begin with ESPALIER_ and are not in the table are errors. Never throws but
// on allocation failure.
[[nodiscard]] ParsedSettings parse_settings(std::span<const char* const> environment);
[[nodiscard]] std::span<const char* const> process_environment();

// The same over settings that are from elsewhere; returns an error text, or nothing.
[[nodiscard]] std::string read_environment(std::span<const char* const> environment, Settings& settings);
// Off, and with the defaults.
[[nodiscard]] ParsedSettings refused_settings(std::string error);

// Parses the grammar of ESPALIER_ALGORITHM; returns an error text, or nothing. `choices` is only changed on success.
[[nodiscard]] std::string parse_choices(std::string_view text, std::vector<ForcedChoice>& choices);
// The error text for a name that is no collective's.
[[nodiscard]] std::string no_collective(std::string_view name);
[[nodiscard]] std::string format_choices(std::span<const ForcedChoice> choices);

// Equal for equal settings, wherever they came from and however they were written; stable across processes and
// machines.
[[nodiscard]] std::uint64_t hash_of(const Settings& settings);

}  // namespace espalier
