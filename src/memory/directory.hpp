// SPDX-License-Identifier: Apache-2.0
// The directory in which memories are kept, a file for each placement: ESPALIER_MEMORY. Many jobs may use it at once,
// on a shared file system.
#pragma once

#include <string>
#include <vector>

#include "memory/memory_text.hpp"

namespace espalier {

// `setting`: ESPALIER_MEMORY as it is set. "auto" means `espalier` in XDG_CACHE_HOME, or else in ~/.cache; empty: there
// is none, or no home. Absolute: the program may go to another directory.
[[nodiscard]] std::string memory_directory(const std::string& setting);

struct FoundMemories {
  std::vector<PlacementMemory> memories;
  std::vector<std::string> complaints;  // a line for each file that cannot be used
};
// Those that `library` wrote, of communicators of this MPI with at most so many ranks on such nodes. A directory that
// is not there holds nothing.
[[nodiscard]] FoundMemories find_memories(const std::string& directory, const std::string& library,
                                          const Placement& of_world);

// Adds what was learnt to what is there, which is read again under a lock. Files are replaced in one step: whoever
// reads meanwhile, or dies, leaves one that is whole. Pinned ones stay as they are. Returns complaints.
[[nodiscard]] std::vector<std::string> keep(const std::string& directory, const std::vector<PlacementMemory>& learnt);

}  // namespace espalier
