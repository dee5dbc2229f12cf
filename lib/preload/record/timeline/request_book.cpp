#include "record/timeline/request_book.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <new>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "record/counting.hpp"
#include "record/requests.hpp"
#include "record/thread_record.hpp"
#include "record/timeline/thread_timeline.hpp"
#include "timeline/fold.hpp"

namespace kith::record {
namespace {

constexpr std::uint32_t no_entry = UINT32_MAX;

/// Programs that lose requests must not make us grow for ever.
constexpr std::size_t most_open = std::size_t{1} << 20U;

struct Entry {
  MPI_Request request;
  OpenRequest open;
  std::uint32_t next;  ///< in the bucket, older first; or in the list of free entries
};

/// A chain of entries, the oldest first.
struct Bucket {
  std::uint32_t first;
  std::uint32_t last;  ///< if there is a first
};

constinit std::atomic<bool> locks{false};
std::mutex mutex;
constinit timeline::MemoryAccount account{{0}, SIZE_MAX};
constinit timeline::GrowingArray<Entry>* entries = nullptr;
constinit timeline::GrowingArray<Bucket>* buckets = nullptr;
constinit std::uint32_t free_entries = no_entry;
constinit std::size_t open_count = 0;
constinit std::atomic<std::uint64_t> opened_count{0};
constinit std::atomic<std::size_t> need_status_count{0};

class Lock {
 public:
  Lock() : held_(locks.load(std::memory_order_relaxed)) {
    if (held_) mutex.lock();
  }
  ~Lock() {
    if (held_) mutex.unlock();
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  bool held_;
};

Bucket& bucket_of(MPI_Request request) {
  const std::uint64_t hash = handle_key(request) * 0x9e3779b97f4a7c15ULL >> 20U;
  return (*buckets)[hash & (buckets->size() - 1)];
}

// At the end of the chain: entries of one handle stay in the order of their making, and there may
// be thousands of them.
void enter(std::uint32_t entry) {
  Bucket& bucket = bucket_of((*entries)[entry].request);
  (*entries)[entry].next = no_entry;
  if (bucket.first == no_entry) {
    bucket.first = entry;
  } else {
    (*entries)[bucket.last].next = entry;
  }
  bucket.last = entry;
}

bool grow_buckets() {
  const std::size_t before = buckets->size();
  const std::size_t size = before == 0 ? 256 : before * 2;
  timeline::GrowingArray<Bucket> old(account);
  old.swap(*buckets);
  if (!buckets->reserve(size)) {
    old.swap(*buckets);
    return before != 0;
  }
  for (std::size_t i = 0; i < size; ++i) buckets->push({no_entry, no_entry});
  for (std::size_t i = 0; i < before; ++i) {
    for (std::uint32_t at = old[i].first; at != no_entry;) {
      const std::uint32_t next = (*entries)[at].next;
      enter(at);
      at = next;
    }
  }
  return true;
}

std::uint32_t new_entry() {
  if (open_count >= most_open) return no_entry;
  if (open_count >= buckets->size() && !grow_buckets()) return no_entry;
  if (free_entries != no_entry) {
    const std::uint32_t entry = free_entries;
    free_entries = (*entries)[entry].next;
    return entry;
  }
  if (!entries->reserve(1)) return no_entry;
  entries->push({});
  return static_cast<std::uint32_t>(entries->size() - 1);
}

std::unordered_map<std::uint64_t, Persistent>& persistent() {
  static auto* const all = new std::unordered_map<std::uint64_t, Persistent>;
  return *all;
}

void open_as(MPI_Request request, const OpenRequest& open) {
  if (entries == nullptr || request == MPI_REQUEST_NULL) return;
  const Lock lock;
  const std::uint32_t entry = new_entry();
  if (entry == no_entry) return;
  (*entries)[entry] = {request, open, no_entry};
  (*entries)[entry].open.age = opened_count.fetch_add(1, std::memory_order_relaxed);
  enter(entry);
  ++open_count;
  if (open.from_anywhere) need_status_count.fetch_add(1, std::memory_order_relaxed);
}

WorldRanks world_ranks_behind(MPI_Comm comm) {
  int is_inter = 0;
  PMPI_Comm_test_inter(comm, &is_inter);
  MPI_Group group = MPI_GROUP_NULL;
  is_inter != 0 ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group);
  int size = 0;
  PMPI_Group_size(group, &size);
  WorldRanks ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  ranks = world_ranks_in(group, ranks);
  PMPI_Group_free(&group);
  return ranks;
}

/// Kept for good, once for all communicators with these members; null where there are too many.
const WorldRanks* members_to_keep(MPI_Comm comm) {
  constexpr std::size_t most_kept = 64;
  static auto* const kept = new std::deque<WorldRanks>;
  WorldRanks ranks = world_ranks_behind(comm);
  const auto known = std::find(kept->begin(), kept->end(), ranks);
  if (known != kept->end()) return &*known;
  if (kept->size() == most_kept) return nullptr;
  return &kept->emplace_back(std::move(ranks));
}

/// Calls `visit` for each open request.
template <class Visit>
void for_each_open(Visit&& visit) {
  for (std::size_t i = 0; i < buckets->size(); ++i) {
    for (std::uint32_t at = (*buckets)[i].first; at != no_entry; at = (*entries)[at].next) {
      visit((*entries)[at].open);
    }
  }
}

struct Place {
  std::uint32_t entry = no_entry;
  std::uint32_t before = no_entry;  ///< in the chain
};

/// The open request of that handle that close_request() takes.
Place find_open(const Bucket& bucket, const ThreadTimeline& thread, MPI_Request request,
                std::uint64_t opened) {
  Place place;
  std::uint32_t previous = no_entry;
  for (std::uint32_t at = bucket.first; at != no_entry; previous = at, at = (*entries)[at].next) {
    if ((*entries)[at].request != request || (*entries)[at].open.age >= opened) continue;
    place = {at, previous};
    if ((*entries)[at].open.thread == thread.number()) break;
  }
  return place;
}

}  // namespace

void begin_requests(bool several_threads) {
  locks.store(several_threads, std::memory_order_relaxed);
  if (entries != nullptr) return;
  buckets = new timeline::GrowingArray<Bucket>(account);
  entries = new timeline::GrowingArray<Entry>(account);
  grow_buckets();
}

void request_opened(ThreadTimeline& thread, MPI_Request request) {
  open_as(request, {thread.new_request(), thread.number()});
}

void receive_opened(ThreadTimeline& thread, MPI_Request request, MPI_Comm comm,
                    const WorldRanks* members) {
  open_as(request, {thread.new_request(), thread.number(), true, false, comm, members});
}

void receives_outlive(MPI_Comm comm) {
  if (entries == nullptr || comm == MPI_COMM_NULL) return;
  const Lock lock;
  const WorldRanks* members = nullptr;
  bool is_looked_up = false;
  const auto outlives = [&](MPI_Comm& of, const WorldRanks*& its_members) {
    if (of != comm) return;
    of = MPI_COMM_NULL;  // the handle may become another communicator's
    try {
      if (!std::exchange(is_looked_up, true)) members = members_to_keep(comm);
    } catch (const std::bad_alloc&) {
      // Nobody knows the senders.
    }
    its_members = members;
  };
  if (some_need_status()) {
    for_each_open([&](OpenRequest& open) {
      if (open.from_anywhere) outlives(open.comm, open.members);
    });
  }
  for (auto& [request, prepared] : persistent()) {
    const bool is_open = (prepared.event.flags & (timeline::any_source | timeline::any_tag)) != 0;
    if (is_open) outlives(prepared.comm, prepared.members);
  }
}

void cancel_request(const ThreadTimeline& thread, MPI_Request request) {
  if (entries == nullptr || request == MPI_REQUEST_NULL) return;
  const Lock lock;
  if (open_count == 0) return;
  const Place place = find_open(bucket_of(request), thread, request, UINT64_MAX);
  if (place.entry == no_entry) return;
  OpenRequest& open = (*entries)[place.entry].open;
  if (std::exchange(open.is_cancelled, true) || open.from_anywhere) return;
  need_status_count.fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t opened_requests() {
  return opened_count.load(std::memory_order_relaxed);
}

bool close_request(const ThreadTimeline& thread, MPI_Request request, std::uint64_t opened,
                   OpenRequest& closed) {
  if (entries == nullptr || request == MPI_REQUEST_NULL) return false;
  const Lock lock;
  if (open_count == 0) return false;
  Bucket& bucket = bucket_of(request);
  const Place place = find_open(bucket, thread, request, opened);
  const std::uint32_t entry = place.entry;
  const std::uint32_t before = place.before;
  if (entry == no_entry) return false;
  (before == no_entry ? bucket.first : (*entries)[before].next) = (*entries)[entry].next;
  if (bucket.last == entry) bucket.last = before;
  closed = (*entries)[entry].open;
  (*entries)[entry].next = free_entries;
  free_entries = entry;
  --open_count;
  if (closed.from_anywhere || closed.is_cancelled) {
    need_status_count.fetch_sub(1, std::memory_order_relaxed);
  }
  return true;
}

bool some_need_status() {
  return need_status_count.load(std::memory_order_relaxed) > 0;
}

void persistent_made(MPI_Request request, const Persistent& made) {
  if (entries == nullptr) return;
  const Lock lock;
  try {
    persistent()[handle_key(request)] = made;
  } catch (const std::bad_alloc&) {
    // Its starts are no events.
  }
}

void persistent_freed(MPI_Request request) {
  if (entries == nullptr) return;
  const Lock lock;
  persistent().erase(handle_key(request));
}

bool find_persistent(MPI_Request request, Persistent& out) {
  if (entries == nullptr) return false;
  const Lock lock;
  const auto found = persistent().find(handle_key(request));
  if (found == persistent().end()) return false;
  out = found->second;
  return true;
}

}  // namespace kith::record
