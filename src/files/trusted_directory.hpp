// SPDX-License-Identifier: Apache-2.0
// A directory into which nobody puts a file but those who are trusted: the user, and root.
//
// It is reached step by step from the root of the file system, each directory en route opened beneath the one before
// and looked at after that. So nobody else can have led elsewhere: a directory in which others may write is
// passed only if it is sticky (/tmp), by what belongs to the user or root there. Links en route are followed by the
// same rules. Once open, it stays that directory, whatever its path means later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "files/descriptor.hpp"
#include "files/input_file.hpp"

namespace espalier {

// `group`: also what belongs to one of the user's groups, and what these may write.
enum class Trust : std::uint8_t { user, group };

// what() names the path, its owner and mode, what is allowed and what to do.
struct Untrusted : UnreadableFile {
  using UnreadableFile::UnreadableFile;
};

class TrustedDirectory {
 public:
  // `path` is absolute. Nothing: it is not there. Throws Untrusted, and UnreadableFile, which names the path, too.
  [[nodiscard]] static std::optional<TrustedDirectory> find(const std::string& path, Trust trust);
  // Makes what is missing.
  [[nodiscard]] static TrustedDirectory make(const std::string& path, Trust trust);

  [[nodiscard]] std::string path_of(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] int number() const { return directory_.number(); }

  // The bytes of a regular file; no link is followed, nobody is waited for. Nothing: it is not there. Throws as find().
  [[nodiscard]] std::optional<std::string> read(const std::string& name, std::size_t max_bytes) const;
  // For what is written next to files: made if it is not there. Throws as find().
  [[nodiscard]] Descriptor open_to_write(const std::string& name) const;
  // In one step, from a file named `temporary`; who may read it stays as it was. Nothing, or what went wrong.
  [[nodiscard]] std::string replace(const std::string& name, const std::string& temporary, std::string_view text) const;

 private:
  TrustedDirectory(std::string path, Trust trust, Descriptor directory)
      : path_(std::move(path)), trust_(trust), directory_(std::move(directory)) {}
  void check(const Descriptor& file, const std::string& name) const;
  void keep_mode(int file, const std::string& of_name) const;
  [[nodiscard]] unsigned mode_of_new_files() const { return trust_ == Trust::group ? 0664 : 0644; }

  std::string path_;
  Trust trust_;
  Descriptor directory_;
};

}  // namespace espalier
