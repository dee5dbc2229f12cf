// One thread's sparse row of one class: bytes and messages per world rank.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>

namespace kith::record {

/// What one thread sent to one peer. The owning thread alone writes (relaxed load and store, never
/// a read-modify-write); others read when they gather.
struct PeerEntry {
  std::atomic<std::uint64_t> bytes;
  std::atomic<std::uint64_t> messages;
  std::uint32_t peer;

  void add(std::uint64_t more_bytes, std::uint64_t more_messages) {
    bytes.store(bytes.load(std::memory_order_relaxed) + more_bytes, std::memory_order_relaxed);
    messages.store(messages.load(std::memory_order_relaxed) + more_messages,
                   std::memory_order_relaxed);
  }
};

/// Entries live in blocks of doubling size that never move, so a reader may walk them while the
/// owner adds; only the owner uses the hash index. All memory comes from malloc and none is taken
/// before the first peer. Zero-initialised memory is a valid empty table. At most 48 bytes a peer
/// on average.
class PeerTable {
 public:
  /// The entry of `peer`, made at first contact. Null when memory is exhausted. Owner only.
  PeerEntry* find_or_add(std::uint32_t peer) {
    if (index_ != nullptr) {
      for (std::uint32_t i = hash(peer) & mask_;; i = (i + 1) & mask_) {
        if (index_[i] == 0) break;
        PeerEntry* const entry = at(index_[i] - 1);
        if (entry->peer == peer) return entry;
      }
    }
    return add(peer);
  }

  /// Calls visit(peer, bytes, messages) for each entry present now. Any thread.
  template <class Visit>
  void for_each(Visit&& visit) const {
    const std::uint32_t count = count_.load(std::memory_order_acquire);
    for (std::uint32_t i = 0; i < count; ++i) {
      const PeerEntry* const entry = at(i);
      visit(entry->peer, entry->bytes.load(std::memory_order_relaxed),
            entry->messages.load(std::memory_order_relaxed));
    }
  }

  std::uint32_t size() const { return count_.load(std::memory_order_acquire); }

 private:
  static constexpr unsigned first_block_bits = 4;

  static std::uint32_t hash(std::uint32_t peer) { return (peer * 0x9e3779b1U) >> 7; }

  PeerEntry* at(std::uint32_t i) const {
    const std::uint32_t shifted = i + (1U << first_block_bits);
    const unsigned block = static_cast<unsigned>(std::bit_width(shifted)) - first_block_bits - 1;
    return blocks_[block].load(std::memory_order_acquire) +
           (shifted - (1U << (block + first_block_bits)));
  }

  PeerEntry* add(std::uint32_t peer) {
    const std::uint32_t count = count_.load(std::memory_order_relaxed);
    if (index_ == nullptr || count * 4ULL >= (mask_ + 1ULL) * 3) {
      if (!grow_index()) return nullptr;
    }
    const std::uint32_t shifted = count + (1U << first_block_bits);
    const unsigned block = static_cast<unsigned>(std::bit_width(shifted)) - first_block_bits - 1;
    if (block >= blocks_.size()) return nullptr;
    if (blocks_[block].load(std::memory_order_relaxed) == nullptr) {
      void* const memory = std::calloc(1ULL << (block + first_block_bits), sizeof(PeerEntry));
      if (memory == nullptr) return nullptr;
      blocks_[block].store(static_cast<PeerEntry*>(memory), std::memory_order_release);
    }
    PeerEntry* const entry = at(count);
    entry->peer = peer;
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

  std::array<std::atomic<PeerEntry*>, 28> blocks_;
  std::atomic<std::uint32_t> count_;
  std::uint32_t* index_;  // entry number + 1; 0 is empty
  std::uint32_t mask_;
};

}  // namespace kith::record
