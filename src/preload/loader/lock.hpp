// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

namespace espalier {

// std::scoped_lock without the C++ runtime behind it, which libespalier.so does not bring along.
class Lock {
 public:
  explicit Lock(pthread_mutex_t& mutex) : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
  ~Lock() { pthread_mutex_unlock(&mutex_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  pthread_mutex_t& mutex_;
};

}  // namespace espalier
