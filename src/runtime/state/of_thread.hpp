// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pthread.h>

namespace cohort::runtime {

// The calling OS thread's object of the type, made at the first call, and destroyed when the thread ends, but not by
// exit(). In place of thread_local: exit() destroys the objects of its thread before static objects, and destructors of
// those call the runtime.
template <class T>
T& of_thread() {
  thread_local T* mine = nullptr;
  if (!mine) {
    // Where the system has no key left, the object stays behind.
    static const struct end_of_threads {
      pthread_key_t key = 0;
      bool is_made = pthread_key_create(&key, [](void* ended) {
                       mine = nullptr;
                       delete static_cast<T*>(ended);
                     }) == 0;
    } end;
    mine = new T{};
    if (end.is_made) pthread_setspecific(end.key, mine);
  }
  return *mine;
}

}  // namespace cohort::runtime
