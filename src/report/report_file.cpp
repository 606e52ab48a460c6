// SPDX-License-Identifier: Apache-2.0
#include "report/report_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "files/write_all.hpp"

namespace espalier {

namespace {

bool is_device(const struct stat& found) { return S_ISCHR(found.st_mode) || S_ISFIFO(found.st_mode); }

// Looks again at what was opened: in a directory that others may write, a link to a file may be there by now.
std::string write_to_device(const std::string& path, std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  struct stat opened {};
  if (file < 0 || (fstat(file, &opened) == 0 && is_device(opened))) return write_and_close(file, text);
  close(file);
  return "it is no device any more";
}

std::string write_new(const std::string& path, std::string_view text) {
  const auto create = [](const std::string& name) {
    return open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  };
  std::string name = path;
  int file = create(name);
  for (int number = 2; file < 0 && errno == EEXIST; ++number) {
    name = path + "." + std::to_string(number);
    file = create(name);
  }
  std::string error = write_and_close(file, text);
  if (file >= 0 && !error.empty()) unlink(name.c_str());
  return error;
}

}  // namespace

std::string write_report(const std::string& path, std::string_view text) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0 || S_ISREG(found.st_mode)) return write_new(path, text);
  if (S_ISDIR(found.st_mode)) return "it is a directory; allowed: the name of a file";
  if (is_device(found)) return write_to_device(path, text);
  return "it is no file; allowed: the name of a file";
}

}  // namespace espalier
