# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command `cohort threads`."""

import gdb
from cohort_memory import Memory, symbol
from cohort_places import Places
from cohort_states import Block


def thread_local(name, offset=0):
    """The address in a thread-local variable of the selected OS thread."""
    return int(gdb.parse_and_eval(f"*(unsigned long*)((char*)&{name} + {offset})"))


def ranges(ranks):
    parts = []
    for rank in ranks:
        if parts and parts[-1][1] == rank - 1:
            parts[-1][1] = rank
        else:
            parts.append([rank, rank])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def print_block(block, running_lane, running_ready):
    groups = {}
    for rank, sentence, place in block.states(running_lane, running_ready):
        groups.setdefault((sentence, place), []).append(rank)
    gdb.write(f"block {block.index} of {block.kernel()}, {block.threads} threads\n")
    for (sentence, place), ranks in groups.items():
        gdb.write(f"  {len(ranks):4} {ranges(ranks)}: {sentence}{', at ' + place if place else ''}\n")


class ThreadsCommand(gdb.Command):
    """List the CUDA threads of the blocks that run now: block, threads, state and source place.

Threads on fibers are shown one by one. A launch that runs gangs or a loop over its threads shows the block and the
current thread; COHORT_GANGS=off, cohortcc -O0 and --check run each thread on a fiber."""

    def __init__(self):
        super().__init__("cohort threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        memory, places, shown = Memory(), Places(), set()
        memory.restore = memory.pointer(symbol("cohort_debug_restore"))
        selected = gdb.selected_thread()
        try:
            for thread in sorted(gdb.selected_inferior().threads(), key=lambda thread: thread.num):
                thread.switch()
                self.show_worker(memory, places, shown)
        finally:
            if selected:
                selected.switch()
        reported = memory.pointer(symbol("cohort_debug_block"))
        if not shown and reported and self.in_report():
            print_block(Block(memory, places, reported), 0, None)
            shown.add(reported)
        if not shown:
            gdb.write("No CUDA thread runs. Stop in a kernel, or at a failed launch: break cohort_debug_report\n")

    @staticmethod
    def in_report():
        frame = gdb.newest_frame()
        return frame.name() == "cohort_debug_report"

    def show_worker(self, memory, places, shown):
        lane = thread_local("cohort_current_thread")
        worker = thread_local("'cohort::engine::running_worker'")
        if not lane or not worker:
            return
        block_address = memory.pointer(memory.field(lane, "thread.block"))
        if block_address in shown:
            return
        if not memory.flag(memory.field(worker, "worker.may_suspend")):
            shown.add(block_address)
            self.show_other_way(memory, worker, lane, block_address, places)
            return
        running = thread_local("'cohort::engine::running'", memory.offsets["running.warp"])
        ready = thread_local("'cohort::engine::running'", memory.offsets["running.ready"]) & 0xFFFFFFFF
        shown.add(block_address)
        block = Block(memory, places, block_address)
        print_block(block, lane, (running, ready) if running else None)
        # In a cooperative launch all blocks are resident: those that do not run now wait, and are listed, too.
        grid = memory.pointer(memory.field(block_address, "block.grid"))
        resident = memory.field(grid, "grid.resident")
        begin, end = memory.pointer(resident), memory.pointer(resident + 8)
        for address in range(begin, end, 8):
            other = memory.pointer(address)
            if other and other not in shown:
                shown.add(other)
                print_block(Block(memory, places, other), 0, None)

    @staticmethod
    def show_other_way(memory, worker, lane, block, places):
        index = memory.words(memory.field(block, "block.index"))
        gangs = memory.flag(memory.field(worker, "worker.may_wait"))
        thread = "" if gangs else f", thread {memory.words(memory.field(lane, 'thread.index'))}"
        place = places.of_frame()
        gdb.write(f"block {index}{thread}: runs{', at ' + place if place else ''}\n")
        gdb.write("  the launch runs gangs of threads: COHORT_GANGS=off shows each thread\n" if gangs else
                  "  the launch runs its threads one after another, because the kernel never waits:\n"
                  "  compile it with -G or -O0 to see them side by side\n")


def register():
    gdb.Command("cohort", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE, True)
    ThreadsCommand()
