// SPDX-License-Identifier: Apache-2.0
#include "files/trusted_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <deque>
#include <utility>
#include <vector>

#include "core/printable.hpp"
#include "files/write_all.hpp"

namespace espalier {

namespace {

constexpr int max_links = 40;  // as the kernel has it
constexpr mode_t mode_of_new_directories = 0755;

using FileFacts = struct stat;

[[noreturn]] void fail(const std::string& path, int code) {
  throw UnreadableFile(printable(path) + ": " + std::strerror(code));
}

FileFacts facts_of(const Descriptor& file, const std::string& path) {
  FileFacts facts{};
  if (::fstat(file.number(), &facts) != 0) fail(path, errno);
  return facts;
}

std::vector<gid_t> groups_of_user() {
  const int count = ::getgroups(0, nullptr);
  std::vector<gid_t> groups(count > 0 ? static_cast<std::size_t>(count) : 0);
  const int filled = groups.empty() ? 0 : ::getgroups(static_cast<int>(groups.size()), groups.data());
  groups.resize(filled > 0 ? static_cast<std::size_t>(filled) : 0);
  groups.push_back(::getegid());
  return groups;
}

// Who may be believed, and so who may write.
class Judge {
 public:
  explicit Judge(Trust trust)
      : me_(::geteuid()), groups_(trust == Trust::group ? groups_of_user() : decltype(groups_){}) {}

  [[nodiscard]] bool owns(const FileFacts& facts) const {
    return facts.st_uid == me_ || facts.st_uid == 0 || is_of_group(facts);
  }
  [[nodiscard]] bool is_written_by_others(const FileFacts& facts) const {
    if (S_ISLNK(facts.st_mode)) return false;
    return (facts.st_mode & S_IWOTH) != 0 || ((facts.st_mode & S_IWGRP) != 0 && !is_of_group(facts));
  }
  [[nodiscard]] bool trusts(const FileFacts& facts) const { return owns(facts) && !is_written_by_others(facts); }

  [[noreturn]] void refuse(const std::string& path, const FileFacts& facts) const {
    char mode[8];
    std::snprintf(mode, sizeof mode, "%04o", facts.st_mode & 07777U);
    const bool is_link = S_ISLNK(facts.st_mode);
    throw Untrusted(printable(path) + (is_link ? ": a link of user " : ": of user ") + std::to_string(facts.st_uid) +
                    (is_link ? "" : std::string(", mode ") + mode) + "; allowed: of user " + std::to_string(me_) +
                    (me_ == 0 ? "" : " or root") + ", written by nobody else (chown, chmod go-w)");
  }

 private:
  [[nodiscard]] bool is_of_group(const FileFacts& facts) const {
    return std::ranges::find(groups_, facts.st_gid) != groups_.end();
  }

  uid_t me_;
  std::vector<gid_t> groups_;
};

class DirectoryWalk {
 public:
  DirectoryWalk(const std::string& path, Trust trust, bool makes) : judge_(trust), makes_(makes) {
    go_to_root();
    owner_of_root_ = facts_of(here_, "/").st_uid;
    put_before(path);
  }

  // False: a directory is not there, or is none.
  [[nodiscard]] bool go() {
    while (!left_.empty()) {
      const std::string name = std::move(left_.front());
      left_.pop_front();
      if (!name.empty() && name != "." && !step(name)) return false;
    }
    const FileFacts facts = facts_of(here_, path_);
    if (!judge_.trusts(facts)) judge_.refuse(path_, facts);
    return true;
  }

  [[nodiscard]] Descriptor opened() const {
    Descriptor directory(::openat(here_.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.number() < 0) fail(path_, errno);
    return directory;
  }

 private:
  void go_to_root() {
    here_ = Descriptor(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    path_ = "/";
    if (here_.number() < 0) fail(path_, errno);
  }

  void put_before(const std::string& path) {
    std::deque<std::string> names;
    for (std::size_t from = 0; from <= path.size();) {
      const std::size_t end = std::min(path.find('/', from), path.size());
      names.push_back(path.substr(from, end - from));
      from = end + 1;
    }
    left_.insert(left_.begin(), names.begin(), names.end());
  }

  bool step(const std::string& name) {
    const bool is_shared = check_directories();
    const std::string path = path_ + (path_.ends_with('/') ? "" : "/") + name;
    Descriptor next = open_beneath(name);
    if (next.number() < 0 && errno == ENOENT && !makes_) return false;
    if (next.number() < 0) fail(path, errno);
    const FileFacts facts = facts_of(next, path);
    // Of whom it is in a directory of all, or who made a link, decides where this leads.
    const bool is_link = S_ISLNK(facts.st_mode);
    if ((is_shared || is_link) && !judge_.owns(facts) && !(is_link && !is_shared && facts.st_uid == owner_of_root_))
      judge_.refuse(path, facts);
    if (is_link) {
      follow(next, path);
      return true;
    }
    if (!S_ISDIR(facts.st_mode)) {
      if (makes_) fail(path, ENOTDIR);
      return false;
    }
    here_ = std::move(next);
    path_ = path;
    return true;
  }

  // Whether others may put entries into the directory at hand; then it is sticky: they cannot replace ours. Where users
  // have other numbers (a container without root), root is who the root of the file system belongs to.
  [[nodiscard]] bool check_directories() const {
    const FileFacts facts = facts_of(here_, path_);
    const bool is_sticky = (facts.st_mode & S_ISVTX) != 0;
    const bool is_shared = judge_.is_written_by_others(facts);
    const bool is_owned = judge_.owns(facts) || facts.st_uid == owner_of_root_;
    if (!is_owned || (is_shared && !is_sticky)) judge_.refuse(path_, facts);
    return is_shared;
  }

  [[nodiscard]] Descriptor open_beneath(const std::string& name) const {
    const auto open = [&] {
      return Descriptor(::openat(here_.number(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    };
    Descriptor found = open();
    if (found.number() >= 0 || errno != ENOENT || !makes_) return found;
    if (::mkdirat(here_.number(), name.c_str(), mode_of_new_directories) != 0 && errno != EEXIST) return found;
    return open();
  }

  void follow(const Descriptor& link, const std::string& path) {
    if (++links_ > max_links) fail(path, ELOOP);
    char target[PATH_MAX];
    const ssize_t length = ::readlinkat(link.number(), "", target, sizeof target);
    if (length < 0) fail(path, errno);
    const std::string to(target, static_cast<std::size_t>(length));
    if (to.starts_with('/')) go_to_root();
    put_before(to);
  }

  const Judge judge_;
  const bool makes_;
  Descriptor here_;
  std::string path_;
  std::deque<std::string> left_;
  uid_t owner_of_root_ = 0;
  int links_ = 0;
};

}  // namespace

std::optional<TrustedDirectory> TrustedDirectory::find(const std::string& path, Trust trust) {
  DirectoryWalk walk(path, trust, false);
  if (!walk.go()) return std::nullopt;
  return TrustedDirectory(path, trust, walk.opened());
}

TrustedDirectory TrustedDirectory::make(const std::string& path, Trust trust) {
  DirectoryWalk walk(path, trust, true);
  if (!walk.go()) fail(path, ENOENT);
  return TrustedDirectory(path, trust, walk.opened());
}

void TrustedDirectory::check(const Descriptor& file, const std::string& name) const {
  if (file.number() < 0 && errno == ELOOP) {
    throw UnreadableFile(printable(path_of(name)) + ": a link; allowed: a regular file");
  }
  if (file.number() < 0) fail(path_of(name), errno);
  const FileFacts facts = facts_of(file, path_of(name));
  if (S_ISDIR(facts.st_mode)) fail(path_of(name), EISDIR);
  if (!S_ISREG(facts.st_mode)) {
    throw UnreadableFile(printable(path_of(name)) + ": a FIFO or a device; allowed: a regular file");
  }
  const Judge judge(trust_);
  if (!judge.trusts(facts)) judge.refuse(path_of(name), facts);
}

std::optional<std::string> TrustedDirectory::read(const std::string& name, std::size_t max_bytes) const {
  const Descriptor file(::openat(number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (file.number() < 0 && errno == ENOENT) return std::nullopt;
  check(file, name);
  try {
    return read_open_file(file.number(), max_bytes);
  } catch (const UnreadableFile& error) {
    throw UnreadableFile(printable(path_of(name)) + ": " + error.what());
  }
}

Descriptor TrustedDirectory::open_to_write(const std::string& name) const {
  constexpr int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  Descriptor made(::openat(number(), name.c_str(), flags | O_CREAT | O_EXCL, mode_of_new_files()));
  if (made.number() >= 0 && trust_ == Trust::group) ::fchmod(made.number(), mode_of_new_files());  // whatever the umask
  if (made.number() >= 0 || errno != EEXIST) {
    if (made.number() < 0) fail(path_of(name), errno);
    return made;
  }
  Descriptor found(::openat(number(), name.c_str(), flags));
  check(found, name);
  return found;
}

// A group shares what is in its directory, whatever the umask. Elsewhere a file stays as private as somebody made it.
void TrustedDirectory::keep_mode(int file, const std::string& of_name) const {
  constexpr mode_t permissions = 0777;
  struct stat former {};
  if (trust_ == Trust::group) {
    ::fchmod(file, mode_of_new_files());
  } else if (::fstatat(number(), of_name.c_str(), &former, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(former.st_mode)) {
    ::fchmod(file, former.st_mode & permissions);
  }
}

std::string TrustedDirectory::replace(const std::string& name, const std::string& temporary,
                                      std::string_view text) const {
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const int file = ::openat(number(), temporary.c_str(), flags, mode_of_new_files());
  if (file >= 0) keep_mode(file, name);
  std::string error = write_and_close(file, text);
  if (error.empty() && ::renameat(number(), temporary.c_str(), number(), name.c_str()) != 0)
    error = std::strerror(errno);
  if (file >= 0 && !error.empty()) ::unlinkat(number(), temporary.c_str(), 0);
  return error;
}

}  // namespace espalier
