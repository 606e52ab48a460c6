// SPDX-License-Identifier: Apache-2.0
#include "settings/site/this_process.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>

#include "files/descriptor.hpp"

namespace espalier {

namespace {

constexpr std::string_view interpreters[] = {"python", "julia", "Rscript", "R"};

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string own_file() {
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "";
}

// The first ones; a command line may be long.
std::vector<std::string> command_line() {
  std::array<char, 4096> text{};
  const Descriptor file(::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC));
  const ssize_t length = file.number() < 0 ? 0 : ::read(file.number(), text.data(), text.size());
  std::vector<std::string> words(1);
  for (ssize_t i = 0; i < length; ++i) {
    if (text[i] != '\0') {
      words.back() += text[i];
    } else {
      words.emplace_back();
    }
  }
  words.pop_back();  // behind the last end there is none, or only a part
  return words;
}

bool is_interpreter(const std::string& name) {
  for (const std::string_view one : interpreters) {
    const bool is_it = name.starts_with(one) && name.find_first_not_of("0123456789.", one.size()) == name.npos;
    if (is_it) return true;
  }
  return false;
}

}  // namespace

std::string script_in(const std::vector<std::string>& words) {
  if (words.empty() || !is_interpreter(last_part(words[0]))) return "";
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool is_module = words[i] == "-m" && i + 1 < words.size();
    if (words[i] == "-c" || words[i] == "-") return "";
    if (words[i] == "-W" || words[i] == "-X") {
      ++i;  // with a word of its own
    } else if (is_module || !words[i].starts_with('-')) {
      return last_part(words[is_module ? i + 1 : i]);
    }
  }
  return "";
}

std::string this_host() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

ThisProcess this_process() {
  ThisProcess process{this_host(), {}, std::to_string(::geteuid())};
  const std::vector<std::string> words = command_line();
  process.programs.push_back(last_part(own_file()));
  if (!words.empty()) process.programs.push_back(last_part(words[0]));
  if (std::string script = script_in(words); !script.empty()) process.programs.push_back(std::move(script));
  return process;
}

std::string program_name() {
  const std::vector<std::string> words = command_line();
  std::string script = script_in(words);
  if (!script.empty()) return script;
  return last_part(words.empty() || words[0].empty() ? own_file() : words[0]);
}

std::string user_name() {
  struct passwd entry {};
  struct passwd* found = nullptr;
  std::vector<char> space(1 << 14);
  while (::getpwuid_r(::geteuid(), &entry, space.data(), space.size(), &found) == ERANGE && space.size() < 1 << 20) {
    space.resize(2 * space.size());
  }
  return found != nullptr ? std::string(found->pw_name) : std::to_string(::geteuid());
}

}  // namespace espalier
