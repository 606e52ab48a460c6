// SPDX-License-Identifier: Apache-2.0
// A new file in a directory that many users may share, and that is made as far as it is missing.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <string_view>

namespace espalier {

// One directory of a path, from the root of the file system on.
struct DirectoryStep {
  std::string name;
  bool follows_link = false;  // but one of the user or root alone
  bool is_own = false;        // of this user or root; if it is made, then for this user alone, and otherwise with the
                              // mode of the one above it
};

struct FreshFile {
  mode_t mode = 0600;  // whatever the umask
  mode_t mode_of_own_directories = 0700;
};

// Under a name that nobody can guess, with this ending; never in place of a file, never through a link. Returns why it
// could not be written, or nothing; a part of a file is not left behind. No signal is raised.
[[nodiscard]] std::string write_fresh(std::span<const DirectoryStep> steps, const FreshFile& how,
                                      std::string_view ending, std::string_view text);

}  // namespace espalier
