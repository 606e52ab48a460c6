// SPDX-License-Identifier: Apache-2.0
// Work in a process of its own, next to this one. What it returns comes back; what else it changes stays there.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <type_traits>

namespace espalier {

class ChildProcess {
 public:
  // `write`: the work, which writes what comes of it; false: it failed.
  explicit ChildProcess(const std::function<bool(int to)>& write);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  // It ends, also before it is done.
  ~ChildProcess();

  // Waits. False: it failed, or could not begin.
  [[nodiscard]] bool read(void* result, std::size_t bytes);

 private:
  pid_t process_ = -1;
  int from_ = -1;
};

[[nodiscard]] bool write_whole(int to, const void* result, std::size_t bytes);

// `Work`: takes nothing, and returns what can be copied byte by byte, and is no longer than what a pipe holds.
template <class Work>
class ChildWork {
 public:
  using Result = std::invoke_result_t<Work>;
  static_assert(std::is_trivially_copyable_v<Result> && sizeof(Result) <= 4096);

  // Begins.
  explicit ChildWork(const Work& work) : work_(work), process_([&](int to) { return write(to); }) {}

  // Waits. Where the other process failed, the work is done here, and throws here.
  [[nodiscard]] Result result() {
    Result result;
    return process_.read(&result, sizeof result) ? result : work_();
  }

 private:
  [[nodiscard]] bool write(int to) const {
    const Result result = work_();
    return write_whole(to, &result, sizeof result);
  }

  const Work work_;
  ChildProcess process_;
};

}  // namespace espalier
