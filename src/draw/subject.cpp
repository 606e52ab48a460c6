// SPDX-License-Identifier: Apache-2.0
#include "draw/subject.hpp"

namespace espalier {

namespace {

std::string counted(std::size_t count, const char* word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

}  // namespace

std::string title_of(const Subject& subject) {
  return std::string(name_of(subject.algorithm->collective)) + " " + std::string(subject.algorithm->name);
}

std::string subtitle_of(const Subject& subject) {
  std::string text = counted(subject.size(), "rank");
  if (contract_of(subject.algorithm->collective).is_rooted()) text += ", root " + std::to_string(subject.root);
  text += ", " + counted(subject.blocks(), "block");
  if (subject.segments > 1)
    text += " in " + counted(subject.segments, "segment") + (subject.blocks() > 1 ? " each" : "");
  return text + ", window " + std::to_string(subject.window);
}

}  // namespace espalier
