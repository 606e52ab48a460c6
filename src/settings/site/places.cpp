// SPDX-License-Identifier: Apache-2.0
#include "settings/site/places.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "core/printable.hpp"
#include "files/trusted_directory.hpp"

namespace espalier {

namespace {

constexpr std::string_view place_in_prefix = "/etc/espalier/espalier.toml";

std::string directory_of(const std::string& path) { return path.substr(0, path.rfind('/')); }
std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The file whose code this is: a library, or the program itself, whose path the loader has as it was called.
std::string own_file() {
  Dl_info info{};
  const bool is_found = ::dladdr(reinterpret_cast<const void*>(&user_place), &info) != 0 && info.dli_fname != nullptr;
  char path[PATH_MAX];
  const bool is_library = is_found && std::strstr(info.dli_fname, ".so") != nullptr;
  return ::realpath(is_library ? info.dli_fname : "/proc/self/exe", path) != nullptr ? path : "";
}

// Two or three steps above: PREFIX/lib/X, PREFIX/bin/X, PREFIX/lib/x86_64-linux-gnu/X.
std::string prefix() {
  const std::string folder = directory_of(own_file());
  const std::string name = name_of(folder);
  const bool is_two_above = name.starts_with("lib") || name == "bin";
  return is_two_above ? directory_of(folder) : directory_of(directory_of(folder));
}

enum class Absence : std::uint8_t { tolerated, if_hidden_too };

// What cannot be looked at is taken for missing only if that is tolerated.
bool is_there(const std::string& path, Absence absence) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) == 0) return true;
  if (errno == ENOENT || errno == ENOTDIR || absence == Absence::if_hidden_too) return false;
  throw UnreadableFile(printable(path) + ": " + std::strerror(errno));
}

SettingsFile read(const std::string& path, FileOf of) {
  const auto directory = TrustedDirectory::find(directory_of(path), Trust::user);
  const auto text = directory ? directory->read(name_of(path), max_settings_file_bytes) : std::nullopt;
  if (!text) throw UnreadableFile(printable(path) + ": " + std::strerror(ENOENT));
  return settings_file_from(*text, printable(path), of);
}

std::string off_file(const std::vector<std::string>& places) {
  for (const std::string& place : places) {
    std::string off = directory_of(place) + "/off";
    if (is_there(off, Absence::tolerated)) return off;
  }
  return "";
}

std::optional<SettingsFile> site_file_in(const std::vector<std::string>& places, bool must_be_there) {
  for (const std::string& place : places) {
    if (must_be_there || is_there(place, Absence::tolerated)) return read(place, FileOf::site);
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> site_places(const std::string& site_file) {
  if (site_file.empty()) return {};
  if (site_file != "auto") return {site_file};
  std::vector<std::string> places = {std::string(place_in_prefix)};
  if (const std::string installed = prefix(); !installed.empty()) {
    places.push_back(installed + std::string(place_in_prefix));
  }
  return places;
}

std::string user_place() {
  const char* const config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && *config == '/') return std::string(config) + "/espalier/espalier.toml";
  const char* const home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.config/espalier/espalier.toml" : "";
}

FoundSettingsFiles find_settings_files(const std::string& site_file) {
  const bool is_named = !site_file.empty() && site_file != "auto";
  if (is_named && !site_file.starts_with('/')) {
    throw UnreadableFile("ESPALIER_SITE_FILE=" + site_file + ": not a whole path; allowed: a path that begins with /");
  }
  FoundSettingsFiles found;
  const std::vector<std::string> places = site_places(site_file);
  found.off = off_file(places);
  if (!found.off.empty()) return found;
  found.site = site_file_in(places, is_named);
  const std::string own = user_place();
  if (!own.empty() && is_there(own, Absence::if_hidden_too)) found.user = read(own, FileOf::user);
  return found;
}

}  // namespace espalier
