// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
struct particle {
  float position, velocity;
};

// Simulates the steps again on the host; multiples of a quarter are exact in a float.
bool check_particles(const particle* particles, int n, int steps, int collisions) {
  int expected = 0;
  for (int i = 0; i < n; ++i) {
    float x = static_cast<float>(i % 8), v = i < n / 2 ? 2.0f : 1.0f;
    for (int s = 0; s < steps; ++s) {
      x += v * 0.25f;
      if (x < 0.0f || x > 8.0f) {
        x = x < 0.0f ? 0.0f : 8.0f;
        v = -v;
        ++expected;
      }
    }
    if (x != particles[i].position || v != particles[i].velocity) {
      std::printf("particle %d: %g %g, expected %g %g\n", i, particles[i].position, particles[i].velocity, x, v);
      return false;
    }
  }
  if (expected != collisions) std::printf("%d collisions, expected %d\n", collisions, expected);
  return expected == collisions;
}
