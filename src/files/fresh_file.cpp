// SPDX-License-Identifier: Apache-2.0
#include "files/fresh_file.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "core/printable.hpp"
#include "files/descriptor.hpp"
#include "files/write_all.hpp"

namespace espalier {

namespace {

struct Unwritable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void fail(const std::string& path, const char* what) { throw Unwritable(printable(path) + ": " + what); }
[[noreturn]] void fail(const std::string& path) { fail(path, std::strerror(errno)); }

std::string random_name() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) throw Unwritable("the system gives no random numbers");
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

bool is_for_many(const struct stat& facts) { return (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0; }

// Of what was just made, and is still what stands there.
bool set_mode(int above, const std::string& name, mode_t mode) {
  const Descriptor made(::openat(above, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat facts {};
  return made.number() >= 0 && ::fstat(made.number(), &facts) == 0 && facts.st_uid == ::geteuid() &&
         ::fchmod(made.number(), mode) == 0;
}

// Others find it there with its mode, or not at all: it gets its name last.
void make_for_many(int above, const std::string& name, mode_t mode) {
  const std::string first = "." + random_name();
  if (::mkdirat(above, first.c_str(), 0700) != 0) return;
  const bool is_moved =
      set_mode(above, first, mode) && ::renameat2(above, first.c_str(), above, name.c_str(), RENAME_NOREPLACE) == 0;
  if (is_moved) return;
  const bool is_unknown = errno == EINVAL || errno == ENOSYS;  // to this file system
  ::unlinkat(above, first.c_str(), AT_REMOVEDIR);
  if (is_unknown && ::mkdirat(above, name.c_str(), 0700) == 0) (void)set_mode(above, name, mode);
}

// Another job may make it at the same time: who opens it finds out.
void make(int above, const DirectoryStep& step, mode_t own_mode) {
  constexpr mode_t all_bits = 07777;
  struct stat facts {};
  if (!step.is_own && ::fstat(above, &facts) == 0 && is_for_many(facts)) {
    make_for_many(above, step.name, facts.st_mode & all_bits);
  } else if (!step.is_own) {
    ::mkdirat(above, step.name.c_str(), 0755);
  } else if (::mkdirat(above, step.name.c_str(), 0700) == 0) {
    (void)set_mode(above, step.name, own_mode);
  }
}

Descriptor open_beneath(int above, const std::string& name, int flags) {
  return Descriptor(::openat(above, name.c_str(), O_PATH | O_CLOEXEC | flags));
}

Descriptor go(const Descriptor& above, const DirectoryStep& step, mode_t own_mode, const std::string& path) {
  Descriptor next = open_beneath(above.number(), step.name, O_NOFOLLOW);
  if (next.number() < 0 && errno == ENOENT) {
    make(above.number(), step, own_mode);
    next = open_beneath(above.number(), step.name, O_NOFOLLOW);
  }
  struct stat facts {};
  if (next.number() < 0 || ::fstat(next.number(), &facts) != 0) fail(path);
  const bool is_of_others = facts.st_uid != 0 && facts.st_uid != ::geteuid();
  if (step.is_own && is_of_others) fail(path, "of another user; allowed: a directory of this user or root");
  if (!S_ISLNK(facts.st_mode)) return next;
  if (!step.follows_link) fail(path, "a link; allowed: a directory");
  if (is_of_others) fail(path, "a link of another user; allowed: a directory");
  next = open_beneath(above.number(), step.name, O_DIRECTORY);
  if (next.number() < 0) fail(path);
  return next;
}

Descriptor walk(std::span<const DirectoryStep> steps, mode_t own_mode, std::string& path) {
  Descriptor here(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (here.number() < 0) fail("/");
  for (const DirectoryStep& step : steps) {
    path += "/" + step.name;
    here = go(here, step, own_mode, path);
  }
  return here;
}

}  // namespace

std::string write_fresh(std::span<const DirectoryStep> steps, const FreshFile& how, std::string_view ending,
                        std::string_view text) try {
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  constexpr mode_t first_mode = 0600;
  std::string path;
  const Descriptor directory = walk(steps, how.mode_of_own_directories, path);
  const std::string name = random_name() + std::string(ending);
  const int file = ::openat(directory.number(), name.c_str(), flags, first_mode);
  if (file < 0) fail(path);
  if (how.mode != first_mode) ::fchmod(file, how.mode);
  const std::string error = write_and_close(file, text);
  if (error.empty()) return "";
  ::unlinkat(directory.number(), name.c_str(), 0);
  return printable(path) + ": " + error;
} catch (const Unwritable& error) {
  return error.what();
}

}  // namespace espalier
