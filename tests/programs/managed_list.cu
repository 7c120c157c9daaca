// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Managed memory: a linked list and strings built on the host and changed by kernels, classes that allocate
// themselves there, a __managed__ variable, objects passed by value and by pointer.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <new>

class Managed {
 public:
  void* operator new(size_t len) {
    void* ptr;
    if (cudaMallocManaged(&ptr, len) != cudaSuccess) throw std::bad_alloc();
    cudaDeviceSynchronize();
    return ptr;
  }
  void operator delete(void* ptr) {
    cudaDeviceSynchronize();
    cudaFree(ptr);
  }
};

class String : public Managed {
  int length;
  char* data;

 public:
  String() : length(0), data(nullptr) {}
  String(const char* s) : length(0), data(nullptr) { assign(s); }
  // A deep copy: kernels take strings by value.
  String(const String& s) : length(0), data(nullptr) { assign(s.data); }
  ~String() { cudaFree(data); }
  String& operator=(const char* s) {
    assign(s);
    return *this;
  }
  __host__ __device__ char& operator[](int pos) const { return data[pos]; }
  __host__ __device__ int size() const { return length; }
  const char* c_str() const { return data; }

 private:
  void assign(const char* s) {
    cudaFree(data);
    length = s ? static_cast<int>(strlen(s)) : 0;
    cudaMallocManaged(&data, length + 1);
    if (s) memcpy(data, s, length + 1);
  }
};

struct Node : public Managed {
  int key = 0;
  String name;
  Node* next = nullptr;
};

__managed__ int visited = 0;
__device__ __managed__ double factors[2] = {1.5, 2.5};

__global__ void upper(String text) {
  for (int i = threadIdx.x; i < text.size(); i += blockDim.x) {
    char& c = text[i];
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
}

__global__ void walk(Node* head, double* sum) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    for (Node* n = head; n != nullptr; n = n->next) {
      n->key = n->key * 2 + n->name.size();
      n->name[0] = '#';
      ++visited;
      *sum += n->key * factors[visited % 2];
    }
  }
}

int main() {
  int managed = 0;
  cudaDeviceGetAttribute(&managed, cudaDevAttrManagedMemory, 0);
  if (!managed) {
    std::printf("no managed memory\n");
    return 1;
  }
  Node* head = nullptr;
  char text[32];
  for (int i = 9; i >= 0; --i) {
    Node* n = new Node;
    n->key = i;
    snprintf(text, sizeof(text), "node%0*d", i + 1, i);
    n->name = text;
    n->next = head;
    head = n;
  }
  double* sum;
  cudaMallocManaged(&sum, sizeof(double));
  *sum = 0;
  visited = 0;
  factors[1] = 3.0;
  walk<<<2, 32>>>(head, sum);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;

  bool ok = visited == 10;
  double expected = 0;
  int i = 0;
  for (Node* n = head; n != nullptr; ++i) {
    const int length = 4 + i + 1;
    ok = ok && n->key == 2 * i + length && n->name[0] == '#' && n->name.size() == length;
    expected += (2 * i + length) * ((i + 1) % 2 ? 3.0 : 1.5);
    Node* dead = n;
    n = n->next;
    delete dead;
  }
  ok = ok && i == 10 && *sum == expected;
  std::printf("visited %d nodes, sum %g (expected %g)\n", visited, *sum, expected);

  String* hello = new String("hello, managed world");
  String copy(*hello);
  upper<<<1, 8>>>(*hello);  // by value: the kernel changes a copy of the text
  cudaDeviceSynchronize();
  ok = ok && strcmp(hello->c_str(), "hello, managed world") == 0 && strcmp(copy.c_str(), hello->c_str()) == 0;
  delete hello;
  cudaFree(sum);
  std::printf(ok ? "PASSED\n" : "FAILED\n");
  return ok ? 0 : 1;
}
