// SPDX-License-Identifier: Apache-2.0
// The directories in which memories are kept, a file for each placement, named by its fingerprint: the user's
// (ESPALIER_MEMORY), and one of the site (ESPALIER_SITE_MEMORY), which is only read. Many jobs may use them at once, on
// a shared file system.
//
// No directory is ever searched at the start: however many files there are, a job opens those that it needs. These are
// of its own placement, and of the communicators that former jobs on that placement had: `FINGERPRINT.list` names them.
#pragma once

#include <string>
#include <vector>

#include "files/trusted_directory.hpp"
#include "memory/history.hpp"
#include "memory/memory_text.hpp"

namespace espalier {

// Absolute: the program may go to another directory. Empty: there is none.
struct MemoryPlaces {
  std::string own, site;
  Trust trust = Trust::user;
};
// As they are set. ESPALIER_MEMORY=auto means `espalier` in XDG_CACHE_HOME, or else in ~/.cache, or nowhere without a
// home; empty: nothing is remembered.
[[nodiscard]] MemoryPlaces memory_places(const std::string& own, const std::string& site, Trust trust);

struct FoundMemories {
  std::vector<PlacementMemory> memories;  // of those of one placement the first counts; then the next
  std::vector<std::string> complaints;    // a line for each file or directory that cannot be used
};
// Those that `library` wrote, for a job that runs there. A directory that is not there holds nothing.
[[nodiscard]] FoundMemories find_memories(const MemoryPlaces& places, const std::string& library,
                                          const Placement& of_world);

// Adds what was learnt to what is there, which is read again under a lock. Files are replaced in one step: anyone who
// reads meanwhile, or dies, leaves one that is whole. Pinned ones stay as they are. Returns complaints, but for what is
// not trusted: find_memories() has said that. `history`: for files of their own, also next to pinned ones.
[[nodiscard]] std::vector<std::string> keep(const MemoryPlaces& places, const Placement& of_world,
                                            const std::vector<PlacementMemory>& learnt,
                                            const std::vector<HistoryLine>& history = {});

}  // namespace espalier
