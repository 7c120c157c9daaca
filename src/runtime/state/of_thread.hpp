// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pthread.h>

namespace cohort::runtime {

// The calling OS thread's object of the type. Made at the first call, and destroyed at the end of the thread, but not
// by exit(). Unlike it, thread_local objects are destroyed by exit() before static objects, whose destructors may call
// the runtime.
template <class T>
T& of_thread() {
  thread_local T* mine = nullptr;
  if (!mine) {
    // If the system has no key left, the object is never destroyed.
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
