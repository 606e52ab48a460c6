// SPDX-License-Identifier: Apache-2.0
#include "memory/directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/hash.hpp"
#include "core/printable.hpp"

namespace espalier {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_file_bytes = std::size_t{8} << 20;
constexpr std::size_t max_bytes_of_all = std::size_t{64} << 20;  // that all ranks get at the start
constexpr std::size_t max_listed = 256;                          // placements next to the world's
constexpr std::size_t fingerprint_digits = 16;
constexpr useconds_t lock_pause = 2'000;  // microseconds
constexpr int max_lock_pauses = 2500;
const std::string new_file = ".new-";

std::string complaint(const std::string& path, const std::string& what) { return printable(path) + ": " + what; }

std::string name_of_memory(const std::string& fingerprint) { return fingerprint + ".toml"; }
std::string name_of_list(const Placement& of_world) { return fingerprint_text(of_world.fingerprint()) + ".list"; }

bool is_fingerprint(std::string_view word) {
  return word.size() == fingerprint_digits && word.find_first_not_of("0123456789abcdef") == word.npos;
}

// A fingerprint in each line; what is none is passed over.
std::vector<std::string> listed_in(const TrustedDirectory& directory, const Placement& of_world) {
  std::vector<std::string> fingerprints;
  const std::string text = directory.read(name_of_list(of_world), max_file_bytes).value_or("");
  for (std::size_t from = 0; from < text.size() && fingerprints.size() < max_listed;) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, end - from);
    if (is_fingerprint(line)) fingerprints.push_back(line);
    from = end + 1;
  }
  return fingerprints;
}

// Nothing: there is none, or none any more.
std::optional<PlacementMemory> read(const TrustedDirectory& directory, const std::string& fingerprint) {
  const std::string name = name_of_memory(fingerprint);
  const std::optional<std::string> text = directory.read(name, max_file_bytes);
  if (!text) return std::nullopt;
  PlacementMemory memory = memory_from_text(*text, printable(directory.path_of(name)));
  const std::string its = fingerprint_text(memory.placement.fingerprint());
  if (its == fingerprint) return memory;
  throw UnreadableFile(
      complaint(directory.path_of(name), "it is of another placement, whose file is " + name_of_memory(its)));
}

// What there is in one directory.
class Shelf {
 public:
  Shelf(const std::string& path, Trust trust, std::vector<std::string>& complaints) : complaints_(complaints) {
    if (!path.empty()) complained([&] { directory_ = TrustedDirectory::find(path, trust); });
  }

  [[nodiscard]] std::vector<std::string> listed(const Placement& of_world) const {
    std::vector<std::string> fingerprints;
    if (directory_) complained([&] { fingerprints = listed_in(*directory_, of_world); });
    return fingerprints;
  }

  [[nodiscard]] std::optional<PlacementMemory> memory(const std::string& fingerprint,
                                                      const std::string& library) const {
    std::optional<PlacementMemory> memory;
    if (directory_) complained([&] { memory = read(*directory_, fingerprint); });
    if (!memory || memory->library == library) return memory;
    complaints_.push_back(complaint(directory_->path_of(name_of_memory(fingerprint)),
                                    "it is of version " + printable(memory->library) + " of Espalier"));
    return std::nullopt;
  }

 private:
  template <class Work>
  void complained(Work work) const try {
    work();
  } catch (const BadDescription& bad) {
    complaints_.emplace_back(printable(bad.what()));
  } catch (const Untrusted& error) {
    complaints_.emplace_back(std::string(error.what()) + "; ESPALIER_MEMORY_TRUST=group trusts your groups, too");
  } catch (const UnreadableFile& error) {
    complaints_.emplace_back(error.what());
  }

  std::vector<std::string>& complaints_;
  std::optional<TrustedDirectory> directory_;
};

void add_new(const std::vector<std::string>& more, std::vector<std::string>& fingerprints) {
  for (const std::string& one : more) {
    if (std::ranges::find(fingerprints, one) == fingerprints.end()) fingerprints.push_back(one);
  }
}

// While it lives, no other process writes, if the file system knows locks, and nobody holds one for long.
class DirectoryLock {
 public:
  explicit DirectoryLock(const TrustedDirectory& directory) : file_(directory.open_to_write(".lock")) {
    for (int pauses = 0; flock(file_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++pauses) {
      if (pauses == max_lock_pauses) return;
      usleep(lock_pause);
    }
  }

 private:
  const Descriptor file_;
};

// Of no other process on any host, and no memory's.
std::string name_of_our_own() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  const std::uint64_t hash = hash_of_number(static_cast<std::uint64_t>(now), hash_of_text(host));
  return new_file + fingerprint_text(hash) + "." + std::to_string(getpid());
}

// By jobs that died while they wrote.
void remove_what_was_left_behind(const TrustedDirectory& directory) {
  constexpr std::time_t long_ago = 24 * 3600;
  const int again = openat(directory.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(again >= 0 ? fdopendir(again) : nullptr, closedir);
  if (entries == nullptr) return;
  while (const dirent* entry = readdir(entries.get())) {
    struct stat facts {};
    if (!std::string_view(entry->d_name).starts_with(new_file)) continue;
    if (fstatat(directory.number(), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (std::time(nullptr) - facts.st_mtime > long_ago) unlinkat(directory.number(), entry->d_name, 0);
  }
}

// What was learnt takes the place of what was known of the same contexts; the oldest ones go.
void merge(const PlacementMemory& learnt, PlacementMemory& known) {
  for (const ContextMemory& context : learnt.contexts) {
    std::erase_if(known.contexts, [&](const ContextMemory& one) { return one.key == context.key; });
    known.contexts.push_back(context);
  }
  const std::size_t count = known.contexts.size();
  if (count > max_contexts) known.contexts.erase(known.contexts.begin(), known.contexts.end() - max_contexts);
}

// Returns a complaint, or nothing.
std::string keep(const TrustedDirectory& directory, const PlacementMemory& learnt) try {
  const std::string fingerprint = fingerprint_text(learnt.placement.fingerprint());
  PlacementMemory memory = learnt;
  const std::optional<PlacementMemory> known = read(directory, fingerprint);
  if (known && known->is_pinned) return {};
  if (known && known->library == learnt.library) {
    memory.contexts = known->contexts;
    merge(learnt, memory);
  }
  const std::string name = name_of_memory(fingerprint);
  const std::string error = directory.replace(name, name_of_our_own(), text_of_memory(memory));
  return error.empty() ? "" : complaint(directory.path_of(name), "it could not be written: " + error);
} catch (const Untrusted&) {
  return {};
} catch (const BadDescription& bad) {  // somebody may have written it by hand
  return printable(bad.what()) + ". What was learnt is not kept, until that file is mended or gone";
} catch (const UnreadableFile& error) {
  return std::string(error.what()) + ". What was learnt is not kept";
}

// The latest first: later jobs may have others.
std::string keep_list(const TrustedDirectory& directory, const Placement& of_world,
                      const std::vector<PlacementMemory>& learnt) {
  const std::vector<std::string> known = listed_in(directory, of_world);
  std::vector<std::string> all;
  for (const PlacementMemory& one : learnt) {
    if (one.placement.fingerprint() != of_world.fingerprint())
      add_new({fingerprint_text(one.placement.fingerprint())}, all);
  }
  const auto is_known = [&](const std::string& one) { return std::ranges::find(known, one) != known.end(); };
  if (std::ranges::all_of(all, is_known)) return {};
  add_new(known, all);
  if (all.size() > max_listed) all.resize(max_listed);
  std::string text;
  for (const std::string& one : all) text += one + "\n";
  const std::string error = directory.replace(name_of_list(of_world), name_of_our_own(), text);
  return error.empty() ? "" : complaint(directory.path_of(name_of_list(of_world)), "it could not be written: " + error);
}

// Returns a complaint, or nothing.
std::string keep_history(const TrustedDirectory& directory, const HistoryLine& line) try {
  const std::string text = directory.read(line.file, max_file_bytes).value_or("");
  const std::string error = directory.replace(line.file, name_of_our_own(), with_line(text, line.text));
  return error.empty() ? "" : complaint(directory.path_of(line.file), "it could not be written: " + error);
} catch (const Untrusted&) {
  return {};
} catch (const UnreadableFile& error) {
  return std::string(error.what()) + ". How long this job's calls took is not kept";
}

std::string cache_of_user() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/espalier";
  const char* const home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.cache/espalier" : "";
}

std::string absolute(const std::string& path) {
  std::error_code error;
  return path.empty() ? "" : fs::absolute(path, error).string();
}

}  // namespace

MemoryPlaces memory_places(const std::string& own, const std::string& site, Trust trust) {
  if (own.empty()) return {};
  return {own == "auto" ? cache_of_user() : absolute(own), absolute(site), trust};
}

FoundMemories find_memories(const MemoryPlaces& places, const std::string& library, const Placement& of_world) {
  FoundMemories found;
  const Shelf own(places.own, places.trust, found.complaints), site(places.site, places.trust, found.complaints);
  std::vector<std::string> fingerprints = {fingerprint_text(of_world.fingerprint())};
  add_new(own.listed(of_world), fingerprints);
  add_new(site.listed(of_world), fingerprints);
  std::size_t bytes = 0;
  const auto take = [&](std::optional<PlacementMemory>& memory) {
    if (!memory) return;
    bytes += text_of_memory(*memory).size();
    if (bytes <= max_bytes_of_all) found.memories.push_back(*std::move(memory));
  };
  for (const std::string& fingerprint : fingerprints) {
    std::optional<PlacementMemory> of_user = own.memory(fingerprint, library);
    std::optional<PlacementMemory> of_site = site.memory(fingerprint, library);
    const bool is_sites_first = of_site && of_site->is_pinned;
    take(is_sites_first ? of_site : of_user);
    take(is_sites_first ? of_user : of_site);
  }
  if (bytes > max_bytes_of_all) {
    found.complaints.push_back("memories of more than " + std::to_string(max_bytes_of_all >> 20) +
                               " MiB concern this job: those of the last communicators are left out");
  }
  return found;
}

std::vector<std::string> keep(const MemoryPlaces& places, const Placement& of_world,
                              const std::vector<PlacementMemory>& learnt, const std::vector<HistoryLine>& history) try {
  const TrustedDirectory directory = TrustedDirectory::make(places.own, places.trust);
  const DirectoryLock lock(directory);
  remove_what_was_left_behind(directory);
  std::vector<std::string> complaints;
  for (const PlacementMemory& each : learnt) {
    if (std::string what = keep(directory, each); !what.empty()) complaints.push_back(std::move(what));
  }
  for (const HistoryLine& line : history) {
    if (std::string what = keep_history(directory, line); !what.empty()) complaints.push_back(std::move(what));
  }
  if (std::string what = keep_list(directory, of_world, learnt); !what.empty()) complaints.push_back(std::move(what));
  return complaints;
} catch (const Untrusted&) {
  return {};
} catch (const UnreadableFile& error) {
  return {std::string(error.what()) + ". What was learnt is not kept"};
}

}  // namespace espalier
