// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstring>

#include "files/without_signal.hpp"

namespace espalier {

namespace {

constexpr std::size_t key_page = 4096;  // in front of the data

std::optional<std::array<std::uint64_t, 2>> unguessable_key() {
  std::array<std::uint64_t, 2> key{};
  if (getrandom(key.data(), sizeof key, 0) != sizeof key) return {};
  return key;
}

std::array<char, 40> name_of(const std::array<std::uint64_t, 2>& number) {
  std::array<char, 40> name{};
  std::snprintf(name.data(), name.size(), "/%016lx%016lx", number[0], number[1]);
  return name;
}

bool is_ours(int file, std::size_t bytes) {
  struct stat facts {};
  return fstat(file, &facts) == 0 && facts.st_uid == geteuid() && (facts.st_mode & (S_IRWXG | S_IRWXO)) == 0 &&
         static_cast<std::size_t>(facts.st_size) == key_page + bytes;
}

Descriptor opened(const SegmentAddress& address) {
  if (address.name[0] != '\0') return Descriptor(shm_open(address.name.data(), O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0));
  char path[48];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", address.pid, address.descriptor);
  return Descriptor(::open(path, O_RDWR | O_CLOEXEC));
}

}  // namespace

// A limit of the size of files is one of these, too.
std::optional<Segment> Segment::make(std::size_t bytes) {
  const WithoutSignal of_size(SIGXFSZ);
  const auto key = unguessable_key();
  Descriptor file(memfd_create("espalier", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  const int number = file.number();
  if (!key || number < 0 || fchmod(number, S_IRUSR | S_IWUSR) != 0) return {};
  if (ftruncate(number, static_cast<off_t>(key_page + bytes)) != 0) return {};
  if (fcntl(number, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return {};
  return finished(Segment(std::move(file), {.bytes = bytes, .key = *key, .pid = getpid(), .descriptor = number}));
}

std::optional<Segment> Segment::make_named(std::size_t bytes) {
  const WithoutSignal of_size(SIGXFSZ);
  const auto key = unguessable_key(), number = unguessable_key();
  if (!key || !number) return {};
  const SegmentAddress address{.bytes = bytes, .key = *key, .name = name_of(*number)};
  Descriptor file(shm_open(address.name.data(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (file.number() < 0) return {};
  Segment made(std::move(file), address);
  if (posix_fallocate(made.file_.number(), 0, static_cast<off_t>(key_page + bytes)) != 0) {
    made.close_to_others();
    return {};
  }
  return finished(std::move(made));
}

std::optional<Segment> Segment::finished(Segment made) {
  if (!made.map()) {
    made.close_to_others();
    return {};
  }
  std::memcpy(made.memory_, made.address_.key.data(), sizeof made.address_.key);
  return made;
}

std::optional<Segment> Segment::open(const SegmentAddress& address) {
  Descriptor file = opened(address);
  if (file.number() < 0 || !is_ours(file.number(), address.bytes)) return {};
  return checked(Segment(std::move(file), address));
}

std::optional<Segment> Segment::checked(Segment found) {
  if (!found.map()) return {};
  if (std::memcmp(found.memory_, found.address_.key.data(), sizeof found.address_.key) != 0) return {};
  found.address_.name = {};  // its maker's to take away
  found.file_ = Descriptor();
  return found;
}

// Children of the program do not have it: they would keep it when the job is over.
bool Segment::map() {
  const std::size_t bytes = key_page + address_.bytes;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), 0);
  if (memory == MAP_FAILED) return false;
  memory_ = memory;
  return madvise(memory, bytes, MADV_DONTFORK) == 0;
}

Segment::Segment(Segment&& other) noexcept
    : file_(std::move(other.file_)),
      address_(std::exchange(other.address_, {})),
      memory_(std::exchange(other.memory_, nullptr)) {}

Segment& Segment::operator=(Segment&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(address_, other.address_);
  std::swap(memory_, other.memory_);
  return *this;
}

Segment::~Segment() {
  if (memory_ != nullptr) munmap(memory_, key_page + address_.bytes);
  close_to_others();
}

std::byte* Segment::data() const { return static_cast<std::byte*>(memory_) + key_page; }

void Segment::close_to_others() {
  if (address_.name[0] != '\0') shm_unlink(address_.name.data());
  address_.name = {};
  file_ = Descriptor();
}

}  // namespace espalier
