// One thread's sparse row: bytes per class and messages, per world rank.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/row_block.hpp"

namespace kith::record {

// Where the blocks of the rows lie: in a file that outlives the process, or in private memory.

/// A zeroed block for `capacity` entries, ready for use and never freed while MPI runs. Null when
/// memory is exhausted. Thread safe. In a row file while there is one and it has place.
RowBlock* make_row_block(std::uint32_t capacity, RowDirection direction);

struct RowFile {
  std::string path;  ///< absolute; no file is there yet
  std::uint32_t rank = 0;
  std::uint32_t ranks = 0;
  std::uint64_t run = 0;
};

/// From now on blocks lie in this file, mapped shared: whatever kills the process, its counters are
/// in the file. Their place is written before it is mapped, so that a full disk cannot end the
/// application. Where a file finds no more place later, blocks are private and the file says so.
/// Empty on success, else the reason; blocks are private then. Throws std::bad_alloc.
std::string keep_rows_in(const RowFile& file);

/// Blocks made from now on are private. Removes the file, if it is still this one; what lies in it
/// stays readable here.
void remove_row_file();

/// Entries live in blocks of doubling size that never move, so a reader may walk them while the
/// owner adds; only the owner uses the hash index. No memory is taken before the first peer.
/// Zero-initialised memory is a valid empty table. At most 51 bytes a peer in touched memory:
/// 40 for the entry, and an index of 4-byte numbers filled to 3/8 at least.
class PeerTable {
 public:
  /// The entry of `peer`, made at first contact. Null when memory is exhausted. Owner only.
  RowEntry* find_or_add(std::uint32_t peer, RowDirection direction) {
    if (index_ != nullptr) {
      for (std::uint32_t i = hash(peer) & mask_;; i = (i + 1) & mask_) {
        if (index_[i] == 0) break;
        RowEntry* const entry = at(index_[i] - 1);
        if (entry->peer == peer) return entry;
      }
    }
    return add(peer, direction);
  }

  /// Calls visit(const RowEntry&) for each entry present now. Any thread.
  template <class Visit>
  void for_each(Visit&& visit) const {
    const std::uint32_t count = count_.load(std::memory_order_acquire);
    for (std::uint32_t i = 0; i < count; ++i) visit(*at(i));
  }

  std::uint32_t size() const { return count_.load(std::memory_order_acquire); }

 private:
  static constexpr unsigned first_block_bits = 4;

  static std::uint32_t hash(std::uint32_t peer) { return (peer * 0x9e3779b1U) >> 7; }

  struct Place {
    unsigned block;
    std::uint32_t index;
  };
  static Place place_of(std::uint32_t i) {
    const std::uint32_t shifted = i + (1U << first_block_bits);
    const unsigned block = static_cast<unsigned>(std::bit_width(shifted)) - first_block_bits - 1;
    return {block, shifted - (1U << (block + first_block_bits))};
  }

  RowEntry* at(std::uint32_t i) const {
    const Place place = place_of(i);
    return blocks_[place.block].load(std::memory_order_acquire)->entries() + place.index;
  }

  RowEntry* add(std::uint32_t peer, RowDirection direction) {
    const std::uint32_t count = count_.load(std::memory_order_relaxed);
    if (index_ == nullptr || count * 4ULL >= (mask_ + 1ULL) * 3) {
      if (!grow_index()) return nullptr;
    }
    const Place place = place_of(count);
    if (place.block >= blocks_.size()) return nullptr;
    RowBlock* block = blocks_[place.block].load(std::memory_order_relaxed);
    if (block == nullptr) {
      block = make_row_block(1U << (place.block + first_block_bits), direction);
      if (block == nullptr) return nullptr;
      blocks_[place.block].store(block, std::memory_order_release);
    }
    RowEntry* const entry = block->entries() + place.index;
    entry->peer = peer;
    block->used.store(place.index + 1, std::memory_order_release);
    insert_into_index(peer, count + 1);
    count_.store(count + 1, std::memory_order_release);
    return entry;
  }

  void insert_into_index(std::uint32_t peer, std::uint32_t number) {
    std::uint32_t i = hash(peer) & mask_;
    while (index_[i] != 0) i = (i + 1) & mask_;
    index_[i] = number;
  }

  bool grow_index() {
    const std::uint32_t new_mask = index_ == nullptr ? 31 : mask_ * 2 + 1;
    auto* const fresh =
        static_cast<std::uint32_t*>(std::calloc(new_mask + 1ULL, sizeof(std::uint32_t)));
    if (fresh == nullptr) return false;
    std::free(index_);
    index_ = fresh;
    mask_ = new_mask;
    const std::uint32_t count = count_.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < count; ++i) insert_into_index(at(i)->peer, i + 1);
    return true;
  }

  std::array<std::atomic<RowBlock*>, 28> blocks_;
  std::atomic<std::uint32_t> count_;
  std::uint32_t* index_;  // entry number + 1; 0 is empty
  std::uint32_t mask_;
};

}  // namespace kith::record
