// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waiting on memory: a lock between all threads of a grid, a lock for each bucket of a hash table, and a producer and a
// consumer block with flags. Needs independent progress of threads, as on GPUs since Volta.
#include <cuda_runtime.h>

#include <cstdio>
#include <set>
#include <vector>

struct Lock {
  int* mutex;
  Lock() {
    int state = 0;
    cudaMalloc((void**)&mutex, sizeof(int));
    cudaMemcpy(mutex, &state, sizeof(int), cudaMemcpyHostToDevice);
  }
  // Kernels take copies, so the destructor must not free the memory.
  void release() { cudaFree(mutex); }
  __device__ void lock(void) {
    while (atomicCAS(mutex, 0, 1) != 0) {
    }
    __threadfence();
  }
  __device__ void unlock(void) {
    __threadfence();
    atomicExch(mutex, 0);
  }
};

__global__ void count_with_lock(Lock lock, int* count, double* sum) {
  lock.lock();
  *count = *count + 1;
  *sum = *sum + 0.5;
  lock.unlock();
}

struct Entry {
  unsigned key;
  Entry* next;
};

__device__ __host__ inline size_t hash_of(unsigned key, size_t count) { return (key * 2654435761u) % count; }

__global__ void add_to_table(const unsigned* keys, int n, Entry** buckets, Entry* pool, int* locks, int bucket_count) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x, stride = blockDim.x * gridDim.x;
  for (int i = tid; i < n; i += stride) {
    const size_t b = hash_of(keys[i], bucket_count);
    bool done = false;
    while (!done) {
      if (atomicCAS(&locks[b], 0, 1) == 0) {
        __threadfence();
        Entry* e = &pool[i];
        e->key = keys[i];
        e->next = ((Entry* volatile*)buckets)[b];
        ((Entry* volatile*)buckets)[b] = e;
        __threadfence();
        atomicExch(&locks[b], 0);
        done = true;
      }
    }
  }
}

// Block 0 sends, block 1 answers: each waits for the other's flag.
__global__ void ping_pong(volatile int* box, volatile int* flag, int rounds, int* sum) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    for (int r = 1; r <= rounds; ++r) {
      *box = r * r;
      __threadfence();
      *flag = 2 * r - 1;
      while (*flag != 2 * r) __nanosleep(20);
      __threadfence();
    }
  } else {
    for (int r = 1; r <= rounds; ++r) {
      while (*flag != 2 * r - 1) {
      }
      __threadfence();
      *sum += *box;
      __threadfence();
      *flag = 2 * r;
    }
  }
}

int main() {
  bool ok = true;
  Lock lock;
  int *d_count, count = 0;
  double *d_sum, sum = 0;
  cudaMalloc(&d_count, sizeof(int));
  cudaMalloc(&d_sum, sizeof(double));
  cudaMemset(d_count, 0, sizeof(int));
  cudaMemset(d_sum, 0, sizeof(double));
  count_with_lock<<<6, 50>>>(lock, d_count, d_sum);
  ok = ok && cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess && count == 300;
  cudaMemcpy(&sum, d_sum, sizeof(double), cudaMemcpyDeviceToHost);
  ok = ok && sum == 150.0;
  std::printf("one lock: %d, %g\n", count, sum);
  lock.release();

  const int n = 1000, bucket_count = 37;
  std::vector<unsigned> keys(n);
  std::multiset<unsigned> expected;
  for (int i = 0; i < n; ++i) expected.insert(keys[i] = i * 7919u % 5003u);
  unsigned* d_keys;
  Entry **buckets, *pool;
  int* d_locks;
  cudaMalloc(&d_keys, n * sizeof(unsigned));
  cudaMallocManaged(&buckets, bucket_count * sizeof(Entry*));
  cudaMallocManaged(&pool, n * sizeof(Entry));
  cudaMalloc(&d_locks, bucket_count * sizeof(int));
  cudaMemset(buckets, 0, bucket_count * sizeof(Entry*));
  cudaMemset(d_locks, 0, bucket_count * sizeof(int));
  cudaMemcpy(d_keys, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  add_to_table<<<4, 64>>>(d_keys, n, buckets, pool, d_locks, bucket_count);
  ok = ok && cudaDeviceSynchronize() == cudaSuccess;
  std::multiset<unsigned> found;
  for (int b = 0; b < bucket_count && ok; ++b) {
    for (Entry* e = buckets[b]; e != nullptr; e = e->next) {
      ok = ok && hash_of(e->key, bucket_count) == static_cast<size_t>(b);
      found.insert(e->key);
    }
  }
  ok = ok && found == expected;
  std::printf("hash table: %zu keys\n", found.size());

  int *box, *flag;
  cudaMalloc(&box, sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  cudaMemset(d_count, 0, sizeof(int));
  ping_pong<<<2, 32>>>(box, flag, 10, d_count);
  ok = ok && cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess && count == 385;
  std::printf("ping pong: %d\n", count);
  cudaFree(d_count), cudaFree(d_sum), cudaFree(d_keys), cudaFree(buckets), cudaFree(pool), cudaFree(d_locks),
      cudaFree(box), cudaFree(flag);
  std::puts(ok ? "PASSED" : "FAILED");
  return ok ? 0 : 1;
}
