// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/order/flags.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "check/memory/address_filter.hpp"
#include "check/order/clocks.hpp"

namespace cohort::check {

// One release at a location, with the accesses that it covers.
struct release {
  uint64_t number;
  uint32_t launch, block;
  uint16_t thread;
  scope fence_scope;   // scope of the fence before the release
  scope atomic_scope;  // scope of the atomic operation
  fence_point known;
  uint32_t bare_begin, bare_end;  // ticks of the thread's accesses between taking a lock and its next fence
};

struct reference {
  uint64_t number;
  uint32_t launch, block;
  scope fence_scope, atomic_scope;
  acquired_flag flag;
};

// The releases at one location, oldest first. New ones are appended, so a part of the list never changes.
struct flag_history {
  uint64_t visible_from = 0;     // earlier releases are hidden: an ordinary store ended their release sequence
  bool has_block_scope = false;  // some of the releases reach threads of their own block only
  std::unordered_map<uint64_t, std::vector<release>> by_block;
  // The tick of the barrier up to which fences are listed, for each block and scope.
  std::unordered_map<uint64_t, uint32_t> barriers;
  std::vector<reference> references;  // flags that the releasing threads had acquired
};

namespace {

std::mutex mutex;
uint64_t last_release = 0;
auto& histories = *new std::unordered_map<uintptr_t, std::unique_ptr<flag_history>>;
// A tick at which a block released, and the number of its first release then.
struct tick_of_release {
  uint32_t tick;
  uint64_t number;
};
auto& release_ticks = *new std::unordered_map<uint64_t, std::vector<tick_of_release>>;
// Addresses that have a history. Most atomics are counters without a release, and skip the lookup.
address_filter released;

uint64_t key_of(uint32_t launch, uint32_t block) { return uint64_t{launch} << 32 | block; }

flag_history& history_of(uintptr_t address) {
  auto& history = histories[address];
  if (!history) history = std::make_unique<flag_history>();
  released.add(address);
  return *history;
}

// Returns the first release that may cover an access of the block at `tick`, or the largest number if there is none.
uint64_t first_release_after(uint64_t block, uint32_t tick) {
  const auto found = release_ticks.find(block);
  if (found == release_ticks.end()) return ~uint64_t{0};
  const auto later = std::upper_bound(found->second.begin(), found->second.end(), tick,
                                      [](uint32_t at, const tick_of_release& each) { return at < each.tick; });
  return later == found->second.end() ? ~uint64_t{0} : later->number;
}

void append(flag_history& history, const accessor& c, uint32_t thread, scope fence_scope, scope atomic_scope,
            const fence_point& known, const held_lock* lock = nullptr) {
  const block_clock& b = *c.block;
  auto& list = history.by_block[key_of(b.launch->number, b.rank)];
  // A second write of a flag after the same fence releases nothing new.
  if (!lock && !list.empty() && list.back().thread == thread && list.back().fence_scope == fence_scope &&
      list.back().atomic_scope == atomic_scope && list.back().known.own == known.own &&
      list.back().number > history.visible_from) {
    return;
  }
  uint32_t bare_end = 0;
  if (lock) {
    const uint32_t entered = lock->entered[static_cast<int>(fence_scope)];
    bare_end = entered ? entered : b.tick + 1;
  }
  std::vector<tick_of_release>& ticks = release_ticks[key_of(b.launch->number, b.rank)];
  if (ticks.empty() || ticks.back().tick != b.tick) ticks.push_back({b.tick, last_release + 1});
  if (fence_scope == scope::block || atomic_scope == scope::block) history.has_block_scope = true;
  list.push_back({++last_release, b.launch->number, b.rank, static_cast<uint16_t>(thread), fence_scope, atomic_scope,
                  known, lock ? lock->taken : 0, bare_end});
}

held_lock* find_lock(thread_clock* t, uintptr_t address) {
  if (!t) return nullptr;
  held_lock* const end = std::end(t->locks);
  held_lock* const found = std::find_if(t->locks, end, [&](const held_lock& lock) { return lock.address == address; });
  return found == end ? nullptr : found;
}

void append_references(flag_history& history, const accessor& c, scope fence_scope, scope atomic_scope,
                       const acquired_flags& flags) {
  // A release of a wider scope also passes on releases of block scope, to threads outside of their scope.
  const bool passes_on = history.has_block_scope && fence_scope != scope::block && atomic_scope != scope::block;
  for (const acquired_flag& flag : flags) {
    // The releases that `flag` stands for are in the location's own list already, unless a store hides them.
    if (flag.history == &history && flag.begin >= history.visible_from && !passes_on) continue;
    history.references.push_back(
        {++last_release, c.block->launch->number, c.block->rank, fence_scope, atomic_scope, flag});
  }
}

// Appends the fences that other threads of the block made before a barrier which `c` has passed too: the flag of one
// thread then stands for all of them.
void append_fences_of_block(flag_history& history, const accessor& c, scope fence_scope, scope atomic_scope) {
  block_clock& b = *c.block;
  if (!b.threads || !b.has_fences) return;
  for (uint32_t thread = 0; thread < b.threads->size(); ++thread) {
    const fence_point& other = (*b.threads)[thread].fences[static_cast<int>(fence_scope)];
    if (other.own == 0 || thread == c.thread) continue;
    if (fence_scope != scope::system && (*b.threads)[thread].fences[static_cast<int>(fence_scope) + 1].own == other.own)
      continue;  // listed with the wider scope
    const bool in_warp = thread / lanes_per_warp == c.warp();
    const uint32_t known =
        in_warp ? std::max(b.ordered_below, b.warps[c.warp()].lane_ordered_below(c.lane(), thread % lanes_per_warp))
                : b.ordered_below;
    if (other.own <= known) append(history, c, thread, fence_scope, atomic_scope, other);
  }
}

// The block of a flag's reader: releases of block scope reach only threads of their own block.
struct place_in_grid {
  uint32_t launch, block;
};

template <class Release>
bool reaches(scope s, const Release& r, const place_in_grid& reader) {
  return s != scope::block || (r.launch == reader.launch && r.block == reader.block);
}

bool covers(const release& r, const record& a, uint32_t node) {
  if (a.tick < r.known.block) return true;
  if (r.thread / lanes_per_warp != a.first_thread / lanes_per_warp) return false;
  if (a.tick < r.known.warp) return true;
  return node - lanes_per_warp == r.thread % lanes_per_warp && a.tick < r.known.own &&
         !(a.tick >= r.bare_begin && a.tick < r.bare_end);
}

// Finds the entry with the history and the reach of `flag`.
acquired_flags::iterator find_same(acquired_flags& flags, const acquired_flag& flag) {
  return std::find_if(flags.begin(), flags.end(), [&](const acquired_flag& other) {
    return other.history == flag.history && other.reach == flag.reach;
  });
}

// The releases that a read of the flag at `address` acquires now.
std::optional<acquired_flag> visible_part(uintptr_t address, scope reach) {
  if (!released.may_contain(address)) return std::nullopt;
  const std::lock_guard lock(mutex);
  const auto found = histories.find(address);
  if (found == histories.end() || found->second->visible_from == last_release) return std::nullopt;
  return acquired_flag{found->second.get(), found->second->visible_from, last_release, reach};
}

// Whether an element with a number from `first` to `last` passes the test. pre: the list is sorted by number
template <class Element, class Test>
bool any_between(const std::vector<Element>& list, uint64_t first, uint64_t last, const Test& test) {
  const auto behind = std::upper_bound(list.begin(), list.end(), last,
                                       [](uint64_t number, const Element& each) { return number < each.number; });
  for (auto each = std::make_reverse_iterator(behind); each != list.rend() && each->number >= first; ++each) {
    if (test(*each)) return true;
  }
  return false;
}

// Searches a thread's acquired flags along the references of releases. Skips releases before the access: they order
// nothing, and searching them takes time quadratic in the number of atomics.
class flag_search {
 public:
  flag_search(const record& a, uint32_t node)
      : a_(a),
        node_(node),
        since_(a.extent > threads_of_block ? 0 : first_release_after(key_of(a.launch, a.block), a.tick)) {}

  bool orders(const acquired_flag& flag, const place_in_grid& reader) {
    const flag_history& history = *flag.history;
    if (flag.end < since_ || !is_new(flag, reader)) return false;
    const uint64_t first = std::max(flag.begin + 1, since_);
    const auto valid = [&](const auto& r) {
      return reaches(r.fence_scope, r, reader) && reaches(r.atomic_scope, r, reader) && reaches(flag.reach, r, reader);
    };
    const auto any_valid = [&](const std::vector<release>& list) { return any_between(list, first, flag.end, valid); };
    // A record of many threads does not list them, so one release of their group stands for all of them.
    if (a_.extent > threads_of_block) {
      return std::any_of(history.by_block.begin(), history.by_block.end(),
                         [&](const auto& entry) { return any_valid(entry.second); });
    }
    if (const auto found = history.by_block.find(key_of(a_.launch, a_.block)); found != history.by_block.end()) {
      const std::vector<release>& list = found->second;
      if (a_.extent != threads_of_warp || !is_lane(node_)) {
        if (any_valid(list)) return true;
      } else if (any_between(list, first, flag.end,
                             [&](const release& r) { return covers(r, a_, node_) && valid(r); })) {
        return true;
      }
    }
    return any_between(history.references, first, flag.end, [&](const reference& r) {
      if (!valid(r)) return false;
      const acquired_flag inner{r.flag.history, r.flag.begin, std::min(r.flag.end, r.number), r.flag.reach};
      return orders(inner, {r.launch, r.block});
    });
  }

 private:
  // Marks this part of the history as searched for readers of this block. False if it was searched before.
  bool is_new(const acquired_flag& flag, const place_in_grid& reader) {
    const auto [at, is_first] =
        searched_.try_emplace({flag.history, key_of(reader.launch, reader.block), flag.reach}, flag.begin, flag.end);
    auto& [begin, end] = at->second;
    if (!is_first && flag.begin >= begin && flag.end <= end) return false;
    begin = std::min(begin, flag.begin);
    end = std::max(end, flag.end);
    return true;
  }

  const record& a_;
  uint32_t node_;
  uint64_t since_;  // the first release that may cover the access
  std::map<std::tuple<const flag_history*, uint64_t, scope>, std::pair<uint64_t, uint64_t>> searched_;
};

}  // namespace

void add_acquired(acquired_flags& to, const acquired_flags& more) {
  for (const acquired_flag& flag : more) {
    const auto same = find_same(to, flag);
    if (same == to.end()) {
      to.push_back(flag);
    } else {
      same->begin = std::min(same->begin, flag.begin);
      same->end = std::max(same->end, flag.end);
    }
  }
}

void acquire_pending(acquired_flags& acquired, acquired_flags& pending) {
  add_acquired(acquired, pending);
  pending.clear();
}

void fence(const accessor& c, scope s) {
  block_clock& b = *c.block;
  thread_clock& t = b.entry_of(c.thread);
  ++b.tick;
  const fence_point now = known_now(c);
  for (int i = 0; i <= static_cast<int>(s); ++i) t.fences[i] = now;
  b.has_fences = true;
  for (held_lock& lock : t.locks) {
    for (int i = 0; i <= static_cast<int>(s); ++i) {
      if (lock.address && lock.entered[i] == 0) lock.entered[i] = b.tick;
    }
  }
  if (t.pending.empty()) return;
  acquired_flags kept;
  for (acquired_flag flag : t.pending) {
    if (s == scope::block && flag.reach != scope::block) {
      // A fence of block scope acquires for this block only; a wider fence may follow.
      kept.push_back(flag);
      flag.reach = scope::block;
    }
    add_acquired(t.acquired, {flag});
  }
  t.pending = std::move(kept);
}

void release_flag(const accessor& c, uintptr_t address, scope s, bool orders_itself, bool replaces) {
  block_clock& b = *c.block;
  thread_clock* const t = b.find_thread(c.thread);
  const bool publishes = orders_itself || b.has_fences;
  if (!publishes && !(replaces && released.may_contain(address))) return;
  const std::lock_guard lock(mutex);
  flag_history& history = history_of(address);
  if (replaces) history.visible_from = last_release;
  if (!publishes) return;
  if (orders_itself) {
    ++b.tick;
    const fence_point now = known_now(c);
    append(history, c, c.thread, s, s, now);
    append_references(history, c, s, s, b.acquired);
    append_references(history, c, s, s, b.launch->acquired);
    if (t) append_references(history, c, s, s, t->acquired);
    return;
  }
  held_lock* const taken = find_lock(t, address);
  // The tick of the thread's last barrier.
  const uint32_t passed = std::max(b.ordered_below, b.warps[c.warp()].ordered_below);
  // A fence counts as a fence of all narrower scopes; fences that were listed with a wider scope are skipped.
  uint32_t wider = 0;
  for (const scope fence_scope : {scope::system, scope::device, scope::block}) {
    const fence_point own = t ? t->fences[static_cast<int>(fence_scope)] : fence_point{};
    uint32_t& listed = history.barriers[key_of(b.launch->number, b.rank) * 3 + static_cast<uint64_t>(fence_scope)];
    if (own.own <= passed && (listed != passed || replaces)) {
      append_fences_of_block(history, c, fence_scope, s);
      listed = passed;
    }
    if (own.own == wider) continue;
    wider = own.own;
    append(history, c, c.thread, fence_scope, s, own, taken);
    append_references(history, c, fence_scope, s, b.acquired);
    append_references(history, c, fence_scope, s, b.launch->acquired);
    append_references(history, c, fence_scope, s, t->acquired);
  }
  if (taken) *taken = {};
}

fence_point known_now(const accessor& c) {
  const block_clock& b = *c.block;
  const warp_clock& w = b.warps[c.warp()];
  uint32_t lanes = w.ordered_below;
  // A release has one number for the warp: the least over its lanes, which may have synchronised in parts.
  if (w.rows) {
    uint32_t least = ~0u;
    for (uint32_t lane = 0; lane < lanes_per_warp; ++lane) {
      if (lane != c.lane()) least = std::min(least, w.lane_ordered_below(c.lane(), lane));
    }
    lanes = std::max(lanes, least);
  }
  return {b.tick, std::max(lanes, b.ordered_below), b.ordered_below};
}

void release_operation(const accessor& c, uintptr_t address, const fence_point& begun) {
  const uint32_t now = c.block->tick++;
  // The thread's own accesses between start and end are not released, like accesses between taking a lock and a fence.
  const held_lock in_flight = {address, begun.own, {now, now, now}};
  const std::lock_guard lock(mutex);
  append(history_of(address), c, c.thread, scope::device, scope::device, {now + 1, begun.warp, begun.block},
         &in_flight);
}

void pass_on_flag(const accessor& c, uintptr_t from, uintptr_t to) {
  const std::optional<acquired_flag> flag = visible_part(from, scope::device);
  const std::lock_guard lock(mutex);
  flag_history& history = history_of(to);
  history.visible_from = last_release;
  if (flag) append_references(history, c, scope::device, scope::device, {*flag});
}

acquired_flags release_launch(const accessor& c, uintptr_t key) {
  release_flag(c, key, scope::device, true, true);
  const std::optional<acquired_flag> flag = visible_part(key, scope::device);
  return flag ? acquired_flags{*flag} : acquired_flags{};
}

void take_lock(const accessor& c, uintptr_t address) {
  thread_clock& t = c.block->entry_of(c.thread);
  held_lock* lock = find_lock(&t, address);
  if (!lock) lock = &t.locks[t.next_lock++ % std::size(t.locks)];
  *lock = {address, ++c.block->tick, {}};
}

void acquire_flag(const accessor& c, uintptr_t address, scope s, bool now) {
  const std::optional<acquired_flag> flag = visible_part(address, s);
  if (!flag) return;
  thread_clock& t = c.block->thread(c.thread);
  add_acquired(now ? t.acquired : t.pending, {*flag});
}

void collect_flag(const accessor& c, uintptr_t address, scope s) {
  thread_clock& t = c.block->thread(c.thread);
  t.before_collection = {};
  const std::optional<acquired_flag> flag = visible_part(address, s);
  if (!flag) return;
  const auto entry = find_same(t.acquired, *flag);
  t.before_collection = entry == t.acquired.end() ? acquired_flag{flag->history, 0, 0, s} : *entry;
  add_acquired(t.acquired, {*flag});
}

void drop_collected(const accessor& c) {
  thread_clock& t = c.block->thread(c.thread);
  const auto entry = find_same(t.acquired, t.before_collection);
  if (entry == t.acquired.end()) return;
  if (t.before_collection.end == 0) {
    t.acquired.erase(entry);
  } else {
    *entry = t.before_collection;
  }
  t.before_collection = {};
}

void pass_on_collected(const accessor& c, uintptr_t address, scope s) {
  thread_clock& t = c.block->thread(c.thread);
  const auto entry = find_same(t.acquired, t.before_collection);
  if (entry == t.acquired.end()) return;
  const std::lock_guard lock(mutex);
  append_references(history_of(address), c, s, s, {*entry});
}

bool flags_order(const record& a, uint32_t node, const accessor& c) {
  block_clock& b = *c.block;
  const thread_clock* const t = b.find_thread(c.thread);
  if (b.acquired.empty() && b.launch->acquired.empty() && (!t || t->acquired.empty())) return false;
  const std::lock_guard lock(mutex);
  const place_in_grid here{b.launch->number, b.rank};
  flag_search search(a, node);
  const auto any = [&](const acquired_flags& flags) {
    return std::any_of(flags.begin(), flags.end(),
                       [&](const acquired_flag& flag) { return search.orders(flag, here); });
  };
  return any(b.acquired) || any(b.launch->acquired) || (t && any(t->acquired));
}

bool flags_order(const record& a, uint32_t node, const acquired_flags& acquired) {
  if (acquired.empty()) return false;
  const std::lock_guard lock(mutex);
  flag_search search(a, node);
  return std::any_of(acquired.begin(), acquired.end(),
                     [&](const acquired_flag& flag) { return search.orders(flag, {0, 0}); });
}

}  // namespace cohort::check
