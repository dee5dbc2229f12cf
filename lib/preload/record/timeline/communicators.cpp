#include "record/timeline/communicators.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <unordered_map>

#include "core/digest.hpp"
#include "record/counting.hpp"
#include "record/thread_record.hpp"
#include "record/timeline/thread_timeline.hpp"
#include "timeline/list_code.hpp"

namespace kith::record {
namespace {

struct Known {
  timeline::Communicator plain;
  std::uint64_t group = 0;  ///< digest of its members
};

struct Book {
  std::mutex mutex;
  std::vector<Known> known;
  std::unordered_map<std::uint64_t, std::uint32_t> by_comm;    ///< of handles as numbers
  std::unordered_map<std::uint64_t, std::uint32_t> by_window;
  std::unordered_map<std::uint64_t, std::uint32_t> made;       ///< by group: how many
  std::unordered_multimap<std::uint64_t, std::uint32_t> freed;  ///< by group
  std::uint64_t world_group = 0;
};

// Never destroyed: MPI calls may come from exit handlers.
Book* book = nullptr;

template <class Handle>
std::uint64_t bits_of(Handle handle) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &handle, sizeof handle);
  return bits;
}

/// World ranks of a group's members, by rank; negative outside the world.
std::vector<int> members_of(MPI_Group group) {
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> own(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) own[static_cast<std::size_t>(i)] = i;
  return world_ranks_in(group, own);
}

std::uint64_t digest_of(const std::vector<int>& members) {
  std::uint64_t hash = members.size();
  for (const int member : members) hash = hash_with(hash, static_cast<std::uint64_t>(member) + 7);
  return hash;
}

std::string encoded(const std::vector<int>& members) {
  const std::vector<std::int64_t> numbers(members.begin(), members.end());
  std::string bytes(timeline::encode_list(numbers, 1, nullptr, 0), '\0');
  timeline::encode_list(numbers, 1, bytes.data(), bytes.size());
  return bytes;
}

/// Everything but the identity.
Known describe(MPI_Group group, const std::vector<int>* remote) {
  Known one;
  const std::vector<int> members = members_of(group);
  int rank = 0;
  PMPI_Group_rank(group, &rank);
  one.plain.size = static_cast<std::uint32_t>(members.size());
  one.plain.rank = rank < 0 ? 0 : static_cast<std::uint32_t>(rank);
  one.group = digest_of(members);
  if (remote != nullptr) {
    one.plain.remote_size = static_cast<std::uint32_t>(remote->size());
    one.group = one.group + digest_of(*remote);  // the same on both sides
    one.group = hash_with(one.group, 1);
  }
  if (rank == 0 && one.group != book->world_group) one.plain.members = encoded(members);
  return one;
}

Known describe(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  int is_inter = 0;
  PMPI_Comm_test_inter(comm, &is_inter);
  Known one;
  if (is_inter != 0) {
    MPI_Group other = MPI_GROUP_NULL;
    PMPI_Comm_remote_group(comm, &other);
    const std::vector<int> remote = members_of(other);
    PMPI_Group_free(&other);
    one = describe(group, &remote);
  } else {
    one = describe(group, nullptr);
  }
  PMPI_Group_free(&group);
  return one;
}

/// With the number of one of the same group that was freed, or a new one.
std::uint32_t enter(Known one) {
  // All members choose alike: the least identity, as numbers differ between them.
  const auto [first, last] = book->freed.equal_range(one.group);
  auto chosen = last;
  for (auto freed = first; freed != last; ++freed) {
    const timeline::Communicator& old = book->known[freed->second].plain;
    if (old.is_window != one.plain.is_window) continue;
    const bool is_less =
        chosen == last || old.identity < book->known[chosen->second].plain.identity;
    if (is_less) chosen = freed;
  }
  if (chosen != last) {
    const std::uint32_t number = chosen->second;
    book->freed.erase(chosen);
    return number;
  }
  one.plain.identity =
      hash_with(hash_with(one.group, one.plain.is_window ? 2 : 1), book->made[one.group]++);
  book->known.push_back(std::move(one));
  return static_cast<std::uint32_t>(book->known.size() - 1);
}

void free_number(std::uint32_t number) {
  book->freed.emplace(book->known[number].group, number);
}

/// Calls act() with the book locked; what finds no memory is left out.
template <class Act>
void with_book(Act&& act) {
  if (book == nullptr || !has_timeline()) return;
  try {
    const std::scoped_lock lock(book->mutex);
    act();
  } catch (const std::bad_alloc&) {
    // Its events count as those of the world.
  }
}

std::uint32_t look_up(MPI_Comm comm) {
  std::uint32_t number = 0;
  with_book([&] {
    const auto found = book->by_comm.find(bits_of(comm));
    if (found != book->by_comm.end()) {
      number = found->second;
      return;
    }
    number = enter(describe(comm));
    book->by_comm[bits_of(comm)] = number;
  });
  return number;
}

}  // namespace

void begin_communicators(MPI_Comm world) {
  if (book != nullptr) return;
  book = new Book;
  Known all = describe(world);
  book->world_group = all.group;
  all.plain.members.clear();
  all.plain.identity = hash_with(hash_with(all.group, 1), book->made[all.group]++);
  book->known.push_back(std::move(all));
  book->by_comm[bits_of(world)] = 0;
  Known self = describe(MPI_COMM_SELF);
  self.plain.identity = hash_with(hash_with(self.group, 1), book->made[self.group]++);
  book->known.push_back(std::move(self));
  book->by_comm[bits_of(MPI_COMM_SELF)] = 1;
}

void communicator_appeared(MPI_Comm made) {
  if (!has_timeline() || made == MPI_COMM_NULL) return;
  communicator_stamps.raise(made);
  with_book([&] { book->by_comm[bits_of(made)] = enter(describe(made)); });
}

void duplicate_appeared(MPI_Comm made, MPI_Comm like) {
  if (!has_timeline() || made == MPI_COMM_NULL) return;
  communicator_stamps.raise(made);
  with_book([&] {
    const auto known = book->by_comm.find(bits_of(like));
    const bool is_known = known != book->by_comm.end();
    book->by_comm[bits_of(made)] =
        enter(is_known ? Known(book->known[known->second]) : describe(like));
  });
}

void window_appeared(MPI_Win made) {
  if (!has_timeline() || made == MPI_WIN_NULL) return;
  with_book([&] {
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Win_get_group(made, &group);
    Known one = describe(group, nullptr);
    PMPI_Group_free(&group);
    one.plain.is_window = true;
    book->by_window[bits_of(made)] = enter(std::move(one));
  });
}

void communicator_vanished(MPI_Comm comm) {
  if (!has_timeline()) return;
  with_book([&] {
    const auto found = book->by_comm.find(bits_of(comm));
    if (found == book->by_comm.end() || found->second < 2) return;
    free_number(found->second);
    book->by_comm.erase(found);
  });
}

void window_vanished(MPI_Win window) {
  if (!has_timeline()) return;
  with_book([&] {
    const auto found = book->by_window.find(bits_of(window));
    if (found == book->by_window.end()) return;
    free_number(found->second);
    book->by_window.erase(found);
  });
}

std::uint32_t number_of(ThreadTimeline& thread, MPI_Comm comm) {
  ThreadTimeline::CommLine& line = thread.comm_line(handle_key(comm));
  const std::uint32_t stamp = communicator_stamps.of(comm);
  if (!line.known || line.comm != comm || line.stamp != stamp) [[unlikely]] {
    line = {comm, stamp, look_up(comm), true};
  }
  return line.number;
}

std::uint32_t number_of(MPI_Win window) {
  std::uint32_t number = 0;
  with_book([&] {
    const auto found = book->by_window.find(bits_of(window));
    if (found != book->by_window.end()) number = found->second;
  });
  return number;
}

std::vector<timeline::Communicator> numbered_communicators() {
  std::vector<timeline::Communicator> plain;
  if (book == nullptr) return plain;
  const std::scoped_lock lock(book->mutex);
  for (const Known& one : book->known) plain.push_back(one.plain);
  return plain;
}

}  // namespace kith::record
