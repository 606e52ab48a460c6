// SPDX-License-Identifier: Apache-2.0
// The list of all settings: the one source of the parser, of `espalier info` and of the reference page.
#pragma once

#include <variant>

#include "settings/log_pattern.hpp"
#include "settings/settings.hpp"

namespace espalier {

struct Limits {
  int min = 0;
  int max = 0;
};

// How the text of a setting is read, and which field it fills.
template <class T>
struct Words {  // one of several words, which stand for the field's values 0, 1, ...
  T Settings::*field;
  std::string_view words;  // "off|on"
};
struct Name {  // one of several words, kept as it is
  std::string Settings::*field;
  std::string_view words;
};
struct Number {
  int Settings::*field;
  Limits limits;
};
struct Share {  // in per cent
  double Settings::*field;
  Limits limits;
};
struct Text {
  std::string Settings::*field;
  std::string_view allowed;
  std::string (*wrong)(std::string_view text) = nullptr;  // what is wrong with a text, and what is allowed; or nothing
};
struct Levels {
  Verbosity Settings::*field;
};
struct Choices {
  std::vector<ForcedChoice> Settings::*field;
};
using Form = std::variant<Words<bool>, Words<Reproducible>, Words<TuningPolicy>, Words<TransportWanted>, Words<Trust>,
                          Words<LogContent>, Words<ToolVariables>, Name, Number, Share, Text, Levels, Choices>;

struct Setting {
  std::string_view name;
  std::string_view default_text;
  Form form;
  std::string_view description;  // Markdown
};

inline constexpr std::array<Setting, setting_count> settings_table = {{
    {"ESPALIER", "on", Words<bool>{&Settings::enabled, "off|on"}, "`off` sends every call straight to the native MPI."},
    {"ESPALIER_ALGORITHM", "", Choices{&Settings::algorithms},
     "Forces the algorithm of some collectives, for tests and comparisons. A call for which a forced algorithm would "
     "be wrong (an operation that does not commute, say) still goes to the native MPI."},
    {"ESPALIER_POLICY", "race", Words<TuningPolicy>{&Settings::policy, "estimate|race|star|adcl|intel|star-by-winner"},
     "How algorithms are chosen that are not forced. `race`: by how long calls take while the program runs, at a "
     "bounded cost. `estimate`: once for all, by what is known of the network, or else by a fixed table. `star`, "
     "`adcl`, `intel`: as STAR-MPI, ADCL and Intel MPI do it, for comparison: from the first call on, at any cost. "
     "`star` compares its choice with what the second best took, as its source does; `star-by-winner` with what that "
     "choice took itself."},
    {"ESPALIER_BUDGET", "1%", Share{&Settings::budget_percent, {0, 100}},
     "What `race` may lose against the native MPI while it learns: a share of the time of the collective calls."},
    {"ESPALIER_REPRODUCIBLE", "run", Words<Reproducible>{&Settings::reproducible, "run|off|native"},
     "Reductions whose order shows in the bits (floating point, user operations). `run`: the order depends on ranks, "
     "size, library version, the network if it is described, and what is pinned, so results are equal from call to "
     "call and from run to run. `off`: any order may be tried. `native`: they are left to the native MPI, even where "
     "an algorithm is forced."},
    {"ESPALIER_ARRIVAL", "on", Words<bool>{&Settings::arrival, "off|on"},
     "Whether `race` also tries trees in which the ranks are arranged by when they arrive, so that a late one delays "
     "nobody else: in broadcasts, and in reductions whose order does not show in the bits."},
    {"ESPALIER_MEMORY", "auto", Text{&Settings::memory, "a path"},
     "The directory in which what `race` has learnt is kept for later jobs. `auto`: `espalier` in `XDG_CACHE_HOME`, or "
     "else in `~/.cache`. Empty: nothing is kept, and nothing remembered."},
    {"ESPALIER_MEMORY_TRUST", "user", Words<Trust>{&Settings::memory_trust, "user|group"},
     "Whose memories are believed. `user`: files and directories of the user or root that nobody else may write. "
     "`group`: also those of a group of the user, and that it may write; for a directory that a group shares."},
    {"ESPALIER_SITE_MEMORY", "", Text{&Settings::site_memory, "a path"},
     "A directory of memories for all users, which jobs only read. What is in the user's own goes first, unless the "
     "site's is pinned. Empty: there is none. Without `ESPALIER_MEMORY` it is not read either."},
    {"ESPALIER_REPORT", "", Text{&Settings::report, "a path"},
     "The file into which a report of what was done is written at the end of the program, as JSON. Where it exists, "
     "`.2` and so on is added to its name; a device or a FIFO is written to. Empty: no report, and no call is timed "
     "for one."},
    {"ESPALIER_CACHE", "64", Number{&Settings::cache, {1, 4096}},
     "How many prepared schedules each communicator keeps. More help programs that use many roots or sizes in turn."},
    {"ESPALIER_TOPOLOGY", "", Text{&Settings::topology, "a path"},
     "A file that describes the machine: its nodes, and how they are joined. With it, long messages travel along trees "
     "that share no link. Empty: nothing is known of the network."},
    {"ESPALIER_TRANSPORT", "auto", Words<TransportWanted>{&Settings::transport, "auto|mpi|fabric"},
     "How messages of ours travel. `mpi`: by the native MPI's point-to-point functions. `fabric`: by remote writes of "
     "libfabric, over all network interfaces at once. `auto`: where the network is known, by what is faster."},
    {"ESPALIER_SHARED_MEMORY", "on", Words<bool>{&Settings::shared_memory, "off|on"},
     "Whether messages of ours between ranks of one node go through memory that these ranks share, and not by the "
     "native MPI's messages. So do those inside nodes of calls that run over libfabric."},
    {"ESPALIER_FIRST_CALLS", "1000", Number{&Settings::first_calls, {0, 1'000'000'000}},
     "How many short calls of each collective on a communicator go to the native MPI before anything is set up for "
     "them, where all ranks share the memory of one node and have a processor each. There a call takes less than a "
     "microsecond, and most communicators see few. 0: none do."},
    {"ESPALIER_NICS", "", Text{&Settings::nics, "names of network interfaces, with commas between them"},
     "The network interfaces that libfabric uses, at most 8. The first one of each host should reach the first one of "
     "all others, and so on. Empty: all that are up and have an IPv4 address, but not those of containers; where the "
     "network is described, they must be as many as it says."},
    {"ESPALIER_CONNECTIONS", "0", Number{&Settings::connections, {0, 32}},
     "How many connections libfabric makes over each network interface to a process of another site. 0: as many as the "
     "delay and the socket buffers make necessary."},
    {"ESPALIER_LANE_TIMEOUT", "60", Number{&Settings::lane_timeout, {1, 3600}},
     "After this many seconds in which no network interface reaches another process, or no file descriptor is left for "
     "a connection to it, a call over libfabric ends with an error; so does a blocking call over the MPI that waits "
     "for a rank which has gone on to a later call. While one reaches it, others may fail and come back."},
    {"ESPALIER_PACKER", "auto",
     Name{&Settings::packer,
          "auto|native|even|striped|roundrobin(1)|roundrobin(2)|roundrobin(4)|bottomleft(1)|bottomleft(2)|"
          "bottomleft(4)|bottomleft_late(1)|bottomleft_late(2)|bottomleft_late(4)|fastest"},
     "How neighbourhood collectives share out their messages among network interfaces. `auto`: `even` where "
     "that gains, else natively. `even`: so that all have as much to do. `striped`: each message over all at once. The "
     "others are those of `espalier halo`. The hint `espalier_packer` of a request's info counts for that request."},
    {"ESPALIER_AGGREGATION", "auto", Name{&Settings::aggregation, "auto|never|always"},
     "Whether persistent neighbourhood collectives send short messages from one host to another as "
     "one, and what several ranks there get alike once. `auto`: where that seems faster. The hint "
     "`espalier_aggregation` of a request's info counts for that request."},
    {"ESPALIER_PERSISTENT", "native", Words<bool>{&Settings::paired, "native|paired"},
     "`paired` promises that every persistent send (`MPI_Send_init`, `MPI_Ssend_init`, `MPI_Rsend_init`) meets a "
     "persistent receive (`MPI_Recv_init`) of the same length, which names its source and tag. `MPI_Bsend_init`, like "
     "every message that is not persistent, stays with the native MPI and must not meet one of these. Long ones "
     "between "
     "hosts then go over all network interfaces, where there are several. `native`: they are the native MPI's."},
    {"ESPALIER_DEVICE", "no", Words<bool>{&Settings::device, "no|yes"},
     "`yes` if buffers may lie in the memory of an accelerator. All calls then go to the native MPI."},
    {"ESPALIER_VERBOSE", "0", Levels{&Settings::verbose},
     "What is said while the program runs. `1`: rank 0 says at start what was found and what is set. `info`: and then "
     "what changes. `trace`: all ranks say each step. By subject: `choice=trace,memory=info`; `start` is what is "
     "set, `late` the arrangement of ranks, `halo` exchanges with neighbours. A level without a subject is for all; "
     "the last that names a subject counts."},
    {"ESPALIER_VERBOSE_FILE", "", Text{&Settings::verbose_file, "a path", wrong_verbose_file},
     "The file that this is added to; `%host`, `%pid` and `%rank` are what they say. Empty: standard error, to which "
     "warnings always go."},
    {"ESPALIER_LOG_DIR", "", Text{&Settings::log_dir, "a path", wrong_log_pattern},
     "The directory into which each job writes one small file at its end, for `espalier site`. In it `%Y`, `%m`, `%d` "
     "and `%H` are the time, `%job`, `%user`, `%host`, `%program` and `%rank0pid` what they say; what is missing is "
     "made. Empty: no log."},
    {"ESPALIER_LOG_MODE", "0600", Name{&Settings::log_mode, "0600|0640|0644"}, "Who may read such a file."},
    {"ESPALIER_LOG_CONTENT", "all", Words<LogContent>{&Settings::log_content, "all|no-user|calls"},
     "What such a file says. `no-user`: not who ran the job, and on which host. `calls`: nor which job and program it "
     "was."},
    {"ESPALIER_STATS", "0", Words<bool>{&Settings::stats, "0|1"},
     "`1` makes rank 0 print at the end what was done, as a table on standard error."},
    {"ESPALIER_REPORT_SITES", "0", Words<bool>{&Settings::report_sites, "0|1"},
     "`1` adds to report and table from where in the program collectives were called."},
    {"ESPALIER_MPI_T", "on", Words<ToolVariables>{&Settings::mpi_t, "off|on|timed"},
     "What tools find behind the native MPI's own variables (`MPI_T`). `on`: settings, and how many calls were made. "
     "`timed`: bytes, times and what was saved, too; every call is timed for it. `off`: the native ones alone."},
    {"ESPALIER_SITE_FILE", "auto", Text{&Settings::site_file, "a path"},
     "The site's file of settings. `auto`: `/etc/espalier/espalier.toml`, or else `etc/espalier/espalier.toml` where "
     "Espalier is installed. Empty: none."},
    {"ESPALIER_RUN", "", Text{&Settings::run, "any text"},
     "Repeated in the report, and nothing else. `espalier run` sets it, to tell its own reports from others."},
}};

// The parameters of a choice in ESPALIER_ALGORITHM.
struct ParameterLimits {
  std::string_view name;
  Limits limits;
  bool is_size;  // takes units: 16KiB
  std::string_view description;
  std::string_view words = "";  // where it is no number: what is allowed
  int min_above_zero = 0;       // 0 means something else than a little
};
inline constexpr ParameterLimits segment_parameter = {
    "segment",
    {0, 1 << 30},
    true,
    "Largest segment, in bytes, into which a block of the message is cut; 0: not at all, which is the default of "
    "algorithms in which every block goes straight to where it belongs. Where "
    "the network is known, the default is what suits it if the algorithm is one of those that are chosen there.",
    "",
    256};  // smaller ones cost hundreds of times what they carry: a long message looks like a hang
inline constexpr ParameterLimits window_parameter = {
    "window",
    {1, 4096},
    false,
    "How many segments of one stream are under way at once. Over a known WAN the default is higher."};
inline constexpr ParameterLimits radix_parameter = {
    "radix", {2, 64}, false, "The radix of a k-nomial tree, or of `alltoall:bruck`."};
inline constexpr ParameterLimits leaders_parameter = {
    "leaders",
    {1, 1024},
    false,
    "How many ranks of each node run the algorithm, each with a share of the message, over the nodes alone: the others "
    "hand in and receive what concerns them within their node. No more than the node with the fewest ranks has. Where "
    "none are asked for, all ranks run it. Not for prefixes, blocks of different sizes, and operations that do not "
    "commute."};
inline constexpr ParameterLimits arrange_parameter = {
    "arrange",
    {},
    false,
    "How the ranks are arranged in the tree. `order`: by when they arrive, at once. `swap`: by how long they wait, "
    "exchange by exchange, as in benchmarks (a) and (b) of the paper. `swap(16)`: as in its benchmark (c), where the "
    "first exchange is looked for after 16 broadcasts, and the interval only grows. Or which rank stands in which "
    "place.",
    "order, swap, swap(1) to swap(16384), or the ranks by place: 0/3/2/1"};
inline constexpr ParameterLimits over_parameter = {
    "over", {}, false, "How the messages travel. `fabric` where there is one.", "mpi or fabric"};
inline constexpr std::array<const ParameterLimits*, 6> parameters_table = {
    &segment_parameter, &window_parameter, &radix_parameter, &leaders_parameter, &over_parameter, &arrange_parameter};

[[nodiscard]] std::string allowed_text(const Setting& setting);
[[nodiscard]] std::string allowed_text(const ParameterLimits& parameter);
[[nodiscard]] std::string value_text(const Setting& setting, const Settings& settings);
// "cache" for ESPALIER_CACHE, "espalier" for ESPALIER.
[[nodiscard]] std::string name_in_file(const Setting& setting);
// As it was set: "ESPALIER_CACHE=7", or "FILE:3: cache = 7".
[[nodiscard]] std::string shown_with_value(std::size_t index, const Settings& settings);

inline constexpr std::size_t algorithm_setting = 1;
static_assert(settings_table[algorithm_setting].name == "ESPALIER_ALGORITHM");

// Gives one setting its value; returns what is wrong with the text, or nothing.
[[nodiscard]] std::string assign(const Setting& setting, std::string_view text, Settings& settings);

}  // namespace espalier
