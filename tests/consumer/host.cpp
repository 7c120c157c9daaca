// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "consumer.hpp"

#ifndef CONSUMER_FACTOR
#error "the target's definition did not reach the C++ source"
#endif

int expected_value(int i) {
  const int block = i / consumer_threads, thread = i % consumer_threads;
  const int first = thread / 32 * 32;  // first thread of the warp
  const int last = first + 31 < consumer_threads ? first + 31 : consumer_threads - 1;
  int sum = 0;
  for (int member = first; member <= last; ++member) sum += block * consumer_threads + member;
  return sum * CONSUMER_FACTOR + 1;
}
