// SPDX-License-Identifier: Apache-2.0
#include "mpi/job/log_about.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "core/log.hpp"
#include "core/printable.hpp"
#include "files/write_all.hpp"
#include "settings/site/this_process.hpp"

namespace espalier {

namespace {

constexpr std::size_t longest_line = 2048;

std::string value_of(std::string_view word, const Job& job) {
  if (word == "host") return this_host();
  return std::to_string(word == "pid" ? ::getpid() : job.world_rank);
}

std::string path_of(const Job& job) {
  std::string path;
  std::string_view rest = job.settings.verbose_file;
  for (std::size_t at = rest.find('%'); at != rest.npos; at = rest.find('%')) {
    path += rest.substr(0, at);
    rest.remove_prefix(at + 1);
    for (const std::string_view word : verbose_file_words) {
      if (!rest.starts_with(word)) continue;
      path += value_of(word, job);
      rest.remove_prefix(word.size());
      break;
    }
  }
  return path.append(rest);
}

// Opened when there is something to say, so that ranks without a word leave no file.
int opened(const Job& job) {
  const std::string path = path_of(job);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
  if (file < 0) {
    log_line("ESPALIER_VERBOSE_FILE=%s: %s. Standard error is used.", printable(path).c_str(), std::strerror(errno));
  }
  return file;
}

void write_line(const Job& job, const std::string& line) {
  if (job.settings.verbose_file.empty()) return log_line("%s", line.c_str());
  static std::once_flag once;
  static int file = -1;
  std::call_once(once, [&] { file = opened(job); });
  if (file < 0) return log_line("%s", line.c_str());
  (void)write_all(file, "espalier: " + line + "\n");
}

void write_about(const Job& job, Topic subject, bool is_of_rank, const char* format, std::va_list arguments) try {
  char text[longest_line] = "";
  std::vsnprintf(text, sizeof text, format, arguments);
  const std::string who = is_of_rank ? "rank " + std::to_string(job.world_rank) + ": " : "";
  const std::string about =
      subject == Topic::start ? "" : std::string(topic_names[static_cast<std::size_t>(subject)]) + ": ";
  write_line(job, about + who + printable(text));
} catch (const std::exception&) {
  // This is only a message.
}

}  // namespace

bool is_logged(const Job& job, Topic subject, Level level) {
  return job.settings.verbose.wants(subject, level) && (level == Level::trace || job.world_rank == 0);
}

void log_about(const Job& job, Topic subject, Level level, const char* format, ...) {
  if (!is_logged(job, subject, level)) return;
  std::va_list arguments;
  va_start(arguments, format);
  write_about(job, subject, level == Level::trace, format, arguments);
  va_end(arguments);
}

void log_about_here(const Job& job, Topic subject, const char* format, ...) {
  if (!job.settings.verbose.wants(subject, Level::info)) return;
  std::va_list arguments;
  va_start(arguments, format);
  write_about(job, subject, false, format, arguments);
  va_end(arguments);
}

}  // namespace espalier
