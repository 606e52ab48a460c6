// SPDX-License-Identifier: Apache-2.0
#include "memory/directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "core/hash.hpp"
#include "core/input_file.hpp"
#include "core/printable.hpp"
#include "core/without_signal.hpp"
#include "core/write_all.hpp"

namespace espalier {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_file_bytes = std::size_t{8} << 20;  // of a file
constexpr std::size_t max_files = 4096;
constexpr useconds_t lock_pause = 2'000;  // microseconds
constexpr int max_lock_pauses = 2500;
const std::string new_file = ".new-";

std::string complaint(const fs::path& path, const std::string& what) { return printable(path.string()) + ": " + what; }

std::vector<fs::path> files_in(const fs::path& directory) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator each(directory, error), end; !error && each != end; each.increment(error)) {
    if (each->path().extension() == ".toml" && files.size() < max_files) files.push_back(each->path());
  }
  std::ranges::sort(files);
  return files;
}

// Nothing: there is none, or none any more.
std::optional<PlacementMemory> read(const fs::path& path) {
  std::error_code error;
  if (fs::symlink_status(path, error).type() == fs::file_type::not_found) return std::nullopt;
  const std::uintmax_t bytes = fs::file_size(path, error);
  if (!error && bytes > max_file_bytes)
    throw UnreadableFile("larger than " + std::to_string(max_file_bytes >> 20) + " MiB");
  return memory_from_text(read_input_file(path), printable(path.string()));
}

bool concerns(const PlacementMemory& memory, const Placement& world) {
  const Placement& its = memory.placement;
  return its.mpi == world.mpi && its.cores == world.cores && its.ranks <= world.ranks;
}

// While it lives, no other process writes, if the file system knows locks, and nobody holds one for long.
class Lock {
 public:
  explicit Lock(const fs::path& directory)
      : file_(open((directory / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    for (int pauses = 0; file_ >= 0 && flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++pauses) {
      if (pauses == max_lock_pauses) return;
      usleep(lock_pause);
    }
  }
  ~Lock() {
    if (file_ >= 0) close(file_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  const int file_;
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
void remove_what_was_left_behind(const fs::path& directory) {
  constexpr auto long_ago = std::chrono::hours(24);
  std::error_code error;
  for (fs::directory_iterator each(directory, error), end; !error && each != end; each.increment(error)) {
    std::error_code of_file;
    const bool is_new = each->path().filename().string().starts_with(new_file);
    const auto written = fs::last_write_time(each->path(), of_file);
    if (is_new && !of_file && fs::file_time_type::clock::now() - written > long_ago) fs::remove(each->path(), of_file);
  }
}

// In one step, from a file beside it.
std::string replace(const fs::path& path, std::string_view text) {
  const std::string beside = (path.parent_path() / name_of_our_own()).string();
  const int file = open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  std::string error = write_and_close(file, text);
  if (error.empty() && rename(beside.c_str(), path.c_str()) != 0) error = std::strerror(errno);
  if (file >= 0 && !error.empty()) unlink(beside.c_str());
  return error;
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

std::string keep(const fs::path& path, const PlacementMemory& learnt) try {
  PlacementMemory memory = learnt;
  const std::optional<PlacementMemory> known = read(path);
  if (known && known->is_pinned) return {};
  if (known && known->library == learnt.library) {
    memory.contexts = known->contexts;
    merge(learnt, memory);
  }
  const std::string error = replace(path, text_of_memory(memory));
  return error.empty() ? "" : complaint(path, "it could not be written: " + error);
} catch (const BadDescription& bad) {  // somebody may have written it by hand
  return printable(bad.what()) + ". What was learnt is not kept, until that file is mended or gone";
} catch (const UnreadableFile& error) {
  return complaint(path, std::string(error.what()) + ". What was learnt is not kept");
}

}  // namespace

std::string memory_directory(const std::string& setting) {
  std::error_code error;
  if (setting.empty()) return {};
  if (setting != "auto") return fs::absolute(setting, error).string();
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/espalier";
  const char* const home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.cache/espalier" : "";
}

FoundMemories find_memories(const std::string& directory, const std::string& library, const Placement& of_world) {
  FoundMemories found;
  for (const fs::path& path : files_in(directory)) {
    try {
      std::optional<PlacementMemory> memory = read(path);
      if (!memory || !concerns(*memory, of_world)) continue;
      if (memory->library == library) {
        found.memories.push_back(*std::move(memory));
      } else {
        found.complaints.push_back(complaint(path, "it is of version " + printable(memory->library) + " of Espalier"));
      }
    } catch (const BadDescription& bad) {
      found.complaints.emplace_back(printable(bad.what()));
    } catch (const UnreadableFile& error) {
      found.complaints.push_back(complaint(path, error.what()));
    }
  }
  return found;
}

std::vector<std::string> keep(const std::string& directory, const std::vector<PlacementMemory>& learnt) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return {complaint(directory, "it could not be made: " + error.message())};
  const Lock lock(directory);
  const WithoutSignal guard(SIGXFSZ);
  remove_what_was_left_behind(directory);
  std::vector<std::string> complaints;
  for (const PlacementMemory& each : learnt) {
    const fs::path path = fs::path(directory) / (fingerprint_text(each.placement.fingerprint()) + ".toml");
    if (std::string what = keep(path, each); !what.empty()) complaints.push_back(std::move(what));
  }
  return complaints;
}

}  // namespace espalier
