# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Occupancy of a kernel, graphs with two branches, and events of streams, with cuda.core."""

import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch
from cuda.core.graph import GraphBuilder

SOURCE = """
extern "C" __global__ void twice_and(int* x, int n, int more) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 2 * x[i] + more;
}
"""
COUNT = 101
SHAPE = LaunchConfig(grid=2, block=64)


def check_occupancy(kernel, device):
    occupancy, largest = kernel.occupancy, device.properties.max_threads_per_multiprocessor
    for block in (32, 96, 1024):
        blocks = occupancy.max_active_blocks_per_multiprocessor(block, 0)
        assert 1 <= blocks <= largest // block, (block, blocks)
    shared, reserved = 40 << 10, device.properties.reserved_shared_memory_per_block
    fitting = device.properties.max_shared_memory_per_multiprocessor // (shared + reserved)
    assert occupancy.max_active_blocks_per_multiprocessor(32, shared) == fitting
    best = occupancy.max_potential_block_size(0, 512)
    assert best.max_block_size == 512 and best.min_grid_size >= device.properties.multiprocessor_count
    assert kernel.num_arguments == 3
    assert [(part.offset, part.size) for part in kernel.arguments_info] == [(0, 8), (8, 4), (12, 4)]


def check_graphs(kernel, device):
    stream = device.create_stream()
    buffer, result = device.allocate(4 * COUNT, stream=stream), np.empty(COUNT, np.int32)
    buffer.fill(0, stream=stream)
    expected = np.zeros(COUNT, np.int64)

    line = device.create_graph_builder().begin_building()
    for more in (1, 5):
        launch(line, SHAPE, kernel, buffer, np.int32(COUNT), np.int32(more))
    graph = line.end_building().complete()
    graph.upload(stream)
    for _ in range(2):
        graph.launch(stream)
        expected = 2 * (2 * expected + 1) + 5

    left, right = device.create_graph_builder().begin_building().split(2)
    launch(left, SHAPE, kernel, buffer, np.int32(50), np.int32(0))
    launch(right, SHAPE, kernel, int(buffer.handle) + 4 * 50, np.int32(COUNT - 50), np.int32(1))
    GraphBuilder.join(left, right).end_building().complete().launch(stream)
    expected = 2 * expected + (np.arange(COUNT) >= 50)

    other = device.create_stream()
    event = stream.record()
    other.wait(event)
    launch(other, SHAPE, kernel, buffer, np.int32(COUNT), np.int32(3))
    other.sync()
    assert event.is_done
    driver.cuMemcpyDtoH(result.ctypes.data, int(buffer.handle), result.nbytes)
    assert (result == 2 * expected + 3).all(), result


def main():
    device = Device()
    device.set_current()
    program = Program(SOURCE, code_type="c++", options=ProgramOptions(std="c++17", arch=f"sm_{device.arch}"))
    kernel = program.compile("cubin").get_kernel("twice_and")
    check_occupancy(kernel, device)
    check_graphs(kernel, device)
    print("cuda.core: the graphs' results are those of NumPy")


main()
