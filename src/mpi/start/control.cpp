// SPDX-License-Identifier: Apache-2.0
#include "mpi/start/control.hpp"

#include "core/hash.hpp"
#include "mpi/calls/context.hpp"
#include "mpi/job/unanimous.hpp"
#include "select/forced.hpp"

namespace espalier {

namespace {

thread_local std::string error_text;

int fail(std::string text) {
  error_text = std::move(text);
  return 1;
}

int succeed() {
  error_text.clear();
  return 0;
}

// The settings that the program was started with, but for what `text` forces.
std::string force_over_start(std::string_view text, Settings& settings) {
  static const auto& at_start = *new Settings(context->job.settings);
  settings = at_start;
  return text.empty() ? std::string() : force(text, settings);
}

int force_agreed(std::string_view text) {
  Settings settings;
  if (std::string error = force_over_start(text, settings); !error.empty()) {
    return fail("espalier_force(\"" + std::string(text) + "\"): " + error);
  }
  context->job.settings = std::move(settings);
  context->selector = std::make_unique<Selector>(context->job.settings, context->selector->network_chooser(),
                                                 context->selector->memory());
  context->communicators.forget_decisions();
  return succeed();
}

}  // namespace

int is_active() { return context->active.load(std::memory_order_acquire) ? 1 : 0; }

int force_setting(const char* setting) try {
  if (is_active() == 0) return fail("Espalier is not active");
  const std::string_view text = setting != nullptr ? setting : "";
  if (!is_unanimous(context->job.mpi, context->job.traffic, hash_of_text(text))) {
    return fail("espalier_force(\"" + std::string(text) + "\"): the ranks gave different settings");
  }
  return force_agreed(text);
} catch (const std::exception& error) {
  return fail(error.what());
}

const char* last_error() { return error_text.c_str(); }

int count_calls(const char* collective, unsigned long long* own, unsigned long long* native) try {
  const std::string_view name = collective != nullptr ? collective : "";
  const std::optional<Collective> wanted = collective_named(name);
  if (!wanted) return fail("espalier_calls: " + no_collective(name));
  const CallCount calls = context->communicators.calls(*wanted);
  if (own != nullptr) *own = calls.own;
  if (native != nullptr) *native = calls.native;
  return succeed();
} catch (const std::exception& error) {
  return fail(error.what());
}

}  // namespace espalier
