// SPDX-License-Identifier: Apache-2.0
// What files of settings, and logs, ask of the process at hand: where it runs, what it is, and whose.
#pragma once

#include <string>
#include <vector>

namespace espalier {

struct ThisProcess {
  std::string host;
  std::vector<std::string> programs;  // the names that it goes by: of its file, as it was called, of its script
  std::string user_id;
};
[[nodiscard]] ThisProcess this_process();
[[nodiscard]] std::string this_host();

// What people call it: the script of an interpreter, or else as it was called.
[[nodiscard]] std::string program_name();

// By the system's list of users, which may ask a server; or the number, where that knows none.
[[nodiscard]] std::string user_name();

// A word of the command line that an interpreter takes for its script: of `python3 -u app.py` app.py, of
// `python -m package` package; empty if there is none.
[[nodiscard]] std::string script_in(const std::vector<std::string>& words);

}  // namespace espalier
