// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "files/descriptor.hpp"
#include "report/history/job_history.hpp"
#include "settings/site/this_process.hpp"

namespace espalier {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_nics = 16, max_host_list = 1024;
constexpr const char* variables_of_host_lists[] = {"SLURM_JOB_NODELIST", "LSB_HOSTS"};

// Empty: it is not there, or the kernel does not say.
std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::vector<fs::path> entries_of(const fs::path& directory) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error))
    entries.push_back(at->path());
  return entries;
}

// Bridges, tunnels and the like are no devices.
void add_ethernet(std::vector<std::string>& nics) {
  std::error_code error;
  for (const fs::path& nic : entries_of("/sys/class/net")) {
    if (!fs::exists(nic / "device", error) || first_line(nic / "operstate") != "up") continue;
    const std::string megabits = first_line(nic / "speed");
    const bool is_known = !megabits.empty() && megabits[0] != '-';
    nics.push_back(nic.filename().string() + (is_known ? " " + megabits + " Mb/s" : ""));
  }
}

void add_infiniband(std::vector<std::string>& nics) {
  for (const fs::path& device : entries_of("/sys/class/infiniband")) {
    for (const fs::path& port : entries_of(device / "ports")) {
      if (!first_line(port / "state").ends_with("ACTIVE")) continue;
      nics.push_back(device.filename().string() + ":" + port.filename().string() + " " + first_line(port / "rate"));
    }
  }
}

std::vector<std::string> nics_here() {
  std::vector<std::string> nics;
  add_ethernet(nics);
  add_infiniband(nics);
  std::ranges::sort(nics);
  if (nics.size() > max_nics) nics.resize(max_nics);
  return nics;
}

std::string host_list() {
  for (const char* const variable : variables_of_host_lists) {
    if (const char* const hosts = std::getenv(variable)) return std::string(hosts).substr(0, max_host_list);
  }
  return {};
}

std::string kernel() {
  struct utsname name {};
  return uname(&name) == 0 ? std::string(name.sysname) + " " + name.release : "";
}

double load() {
  double load = -1;
  return getloadavg(&load, 1) == 1 ? load : -1;
}

}  // namespace

// "RAN WAITED TURNS", in nanoseconds.
double waited_for_processor() noexcept {
  char text[128] = "";
  const Descriptor file(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC));
  if (file.number() < 0 || ::read(file.number(), text, sizeof text - 1) <= 0) return 0;
  char* behind_ran = nullptr;
  std::strtoull(text, &behind_ran, 10);
  return static_cast<double>(std::strtoull(behind_ran, nullptr, 10)) * 1e-9;
}

Circumstances circumstances_here() {
  return {.at = std::time(nullptr),
          .program = program_name(),
          .host = this_host(),
          .host_list = host_list(),
          .kernel = kernel(),
          .nics = nics_here(),
          .load = load()};
}

}  // namespace espalier
