# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The state of each thread of a block: the masks of its warp, as src/engine/report/block_state.cpp reads them."""

import gdb

BARRIERS = ["thread_block_tile<64>", "thread_block_tile<128>", "thread_block_tile<256>", "thread_block_tile<512>",
            "thread_block_tile<1024>", "thread_block", "cluster_group", "grid_group", "multi_grid_group"]


def demangled(name):
    # gdb's command line gets only names that a compiler has made.
    if not name.startswith("_Z") or not name.replace("_", "a").replace(".", "a").replace("$", "a").isalnum():
        return name
    try:
        return gdb.execute("demangle -l c++ -- " + name, to_string=True).strip()
    except gdb.error:
        return name


class Block:
    def __init__(self, memory, places, address):
        self.memory, self.places, self.address = memory, places, address
        self.index = memory.words(memory.field(address, "block.index"))
        self.dim = memory.words(memory.field(address, "block.dim"))
        self.threads = memory.word(memory.field(address, "block.threads"))

    def kernel(self):
        memory = self.memory
        grid = memory.pointer(memory.field(self.address, "block.grid"))
        launch = memory.pointer(memory.field(grid, "grid.launch"))
        name = memory.pointer(memory.field(memory.pointer(memory.field(launch, "launch.kernel")), "kernel.name"))
        return demangled(memory.text(name)) if name else "?"

    def warp(self, number):
        memory = self.memory
        return memory.field(self.address, "block.warps") + number * memory.offsets["warp.size"]

    def lane(self, rank):
        memory = self.memory
        return memory.pointer(memory.field(self.address, "block.lanes")) + rank * memory.offsets["lane.size"]

    def mask(self, number, name):
        return self.memory.word(self.memory.field(self.warp(number), "warp." + name))

    def waits_at(self, rank):
        """The source place of the lane's wait."""
        memory = self.memory
        lane = self.lane(rank)
        place = memory.pointer(memory.field(lane, "lane.place"))
        if place:
            return self.places.of_address(place)
        registers = self.registers(rank)
        resume = memory.pointer(registers + memory.offsets["context.resume"])
        if resume and resume == memory.restore:
            resume = memory.pointer(memory.pointer(registers))
        return self.places.of_address(resume)

    def registers(self, rank):
        memory = self.memory
        return memory.pointer(memory.field(memory.pointer(memory.field(self.lane(rank), "lane.fiber")), "fiber.registers"))

    def started(self, rank):
        return self.memory.pointer(self.registers(rank) + self.memory.offsets["context.resume"]) != 0

    def rendezvous(self, number):
        """(arrived lanes, sentence) of each open rendezvous of a warp."""
        memory = self.memory
        opened = self.mask(number, "open")
        for i in range(32):
            if not opened >> i & 1:
                continue
            at = memory.field(self.warp(number), "warp.opened") + i * memory.offsets["rendezvous.size"]
            mask = memory.word(memory.field(at, "rendezvous.mask"))
            arrived = memory.word(memory.field(at, "rendezvous.arrived"))
            name = memory.pointer(memory.field(at, "rendezvous.op_name"))
            missing = mask & self.mask(number, "live") & ~arrived
            yield arrived, (f"waits in {memory.text(name) if name else 'a warp collective'} with lane mask 0x{mask:08x}; "
                            f"lanes 0x{missing:08x} are missing")

    def wide(self, number, bit):
        """The barrier at which the lane waits."""
        memory = self.memory
        for barrier in range(memory.offsets["barriers"]):
            at = memory.field(self.address, "block.waiting") + 4 * (barrier * memory.offsets["warps"] + number)
            if memory.word(at) & bit:
                return f"the barrier of the {BARRIERS[barrier]}"
        return self.mbarrier(number, bit, "waiting") or "a named barrier of the block"

    def mbarrier(self, number, bit, state):
        """Describes the mbarrier at which the lane waits, or which it has tested, and what its phase lacks; None if
        there is none."""
        memory = self.memory
        table = memory.pointer(memory.field(self.address, "block.mbarriers"))
        if not table:
            return None
        rank = 32 * number + bit.bit_length() - 1
        wait = memory.field(table, "mbarriers.waits") + rank * memory.offsets["mbarrier_wait.size"]
        word = memory.pointer(memory.field(wait, "mbarrier_wait.word"))
        waits = memory.word(memory.field(table, "mbarriers.waiting") + 4 * number) & bit
        is_over = memory.word(memory.field(wait, "mbarrier_wait.is_over")) & 0xff
        if not waits and (state == "waiting" or not word or is_over):
            return None
        parity = memory.word(memory.field(wait, "mbarrier_wait.phase")) & 1
        # The fields of include/cohort/machine/cpu/port/mbarrier_state.hpp.
        state = memory.pointer(word)
        pending, expected, missing = state & 0xfffff, state >> 20 & 0xfffff, state >> 43
        missing -= missing >> 20 << 21
        return (f"the mbarrier at 0x{word:x}, whose phase of parity {parity} lacks {pending} of {expected} arrivals"
                + (f" and {missing} bytes" if missing else ""))

    def collective(self):
        name = self.memory.pointer(self.memory.field(self.address, "block.op_name"))
        return self.memory.text(name) if name else "a collective"

    def states(self, running_lane, running_ready):
        """(rank, sentence, place) of each thread. `running_lane`: address of the lane that runs; `running_ready`: the
        warp that runs, and its mask of ready lanes."""
        for number in range((self.threads + 31) // 32):
            masks = {name: self.mask(number, name)
                     for name in ("ready", "live", "at_wide", "converging", "spinning", "in_collective")}
            if running_ready and running_ready[0] == self.warp(number):
                masks["ready"] = running_ready[1]
            rendezvous = list(self.rendezvous(number))
            for rank in range(32 * number, min(32 * number + 32, self.threads)):
                yield self.state(rank, masks, rendezvous, self.lane(rank) == running_lane)

    def state(self, rank, masks, rendezvous, runs):
        number, bit = divmod(rank, 32)
        bit = 1 << bit
        if not masks["live"] & bit:
            return rank, "returned", ""
        if runs:
            return rank, "runs", self.places.of_frame()
        if masks["ready"] & bit:
            return (rank, "can run", self.waits_at(rank)) if self.started(rank) else (rank, "has not started", "")
        sentence = next((text for arrived, text in rendezvous if arrived & bit), None)
        if masks["at_wide"] & bit:
            sentence = f"waits at {self.wide(number, bit)}"
        elif masks["converging"] & bit:
            sentence = "waits for convergence (coalesced_threads)"
        elif masks["spinning"] & bit:
            tried = self.mbarrier(number, bit, "spinning")
            sentence = f"spins, after a try to wait at {tried}" if tried else "spins"
        elif masks["in_collective"] & bit:
            sentence = f"waits in {self.collective()} of the thread_block"
        return rank, sentence or "waits at the block's barrier", self.waits_at(rank)
