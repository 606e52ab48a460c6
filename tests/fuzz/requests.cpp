// SPDX-License-Identifier: Apache-2.0
// What users name: a collective, an algorithm, a size.
#include "tool/requests.hpp"

#include "target.hpp"

namespace espalier::fuzz {
namespace {

template <class Request>
void ask(Request request) try {
  request();
} catch (const tool::BadRequest& bad) {
  const std::string_view why = bad.what();
  require(why.find("allowed") != why.npos || why.find("did you mean") != why.npos,
          "a refusal says not what is allowed");
}

void run(std::string_view text) {
  const std::string name(text.substr(0, text.find('\0')));
  ask([&] { require(name_of(tool::requested_collective(name)) == name, "another collective is found"); });
  ask([&] {
    const Algorithm& found = tool::requested_algorithm(name);
    require(name == found.name || name == tool::full_name(found), "another algorithm is found");
  });
  ask([&] { (void)tool::requested_size("--bytes", name); });
}

const Registration registration("requests", run);

}  // namespace
}  // namespace espalier::fuzz
