// Memory of our own for the moment when the process has none left: the small things that ranks need
// to agree on giving up, words for the reason among them. What may need more than 8 KiB is asked
// for in a step whose failure all ranks hear of before any goes on (PrivateComm::all_manage). It
// replaces the allocation functions of libkith.so alone, whose C++ library is linked in statically
// and hidden.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <new>

namespace {

/// Blocks of 32 bytes to 16 KiB in powers of two, each list's own once it was used. Takes no memory
/// of the system's before it is touched.
class SpareMemory {
 public:
  /// Null where the size is not a small one, or nothing is left.
  void* take(std::size_t size) {
    const std::size_t kind = kind_of(size);
    if (kind >= free_.size()) return nullptr;
    const std::scoped_lock lock(mutex_);
    if (Block* const block = free_[kind]; block != nullptr) {
      free_[kind] = block->next;
      return block + 1;
    }
    const std::size_t bytes = smallest << kind;
    if (bytes > sizeof place_ - used_) return nullptr;
    auto* const block = reinterpret_cast<Block*>(place_ + used_);
    used_ += bytes;
    block->kind = kind;
    return block + 1;
  }

  bool owns(const void* memory) const {
    const auto* const byte = static_cast<const std::byte*>(memory);
    return !std::less<>{}(byte, place_) && std::less<>{}(byte, place_ + sizeof place_);
  }

  void give_back(void* memory) {
    Block* const block = static_cast<Block*>(memory) - 1;
    const std::scoped_lock lock(mutex_);
    block->next = free_[block->kind];
    free_[block->kind] = block;
  }

 private:
  /// Stands before the memory that is handed out.
  struct alignas(std::max_align_t) Block {
    std::size_t kind;  ///< smallest << kind bytes with this head
    Block* next;       ///< in the list of free ones
  };
  static constexpr std::size_t smallest = 32;
  static_assert(sizeof(Block) < smallest);

  static std::size_t kind_of(std::size_t size) {
    constexpr std::size_t most = 16384;
    if (size > most) return most;
    return static_cast<std::size_t>(std::bit_width((size + sizeof(Block) - 1) / smallest));
  }

  alignas(std::max_align_t) std::byte place_[std::size_t{1} << 20]{};
  std::size_t used_ = 0;
  std::array<Block*, 11> free_{};
  std::mutex mutex_;
};

constinit SpareMemory spare;

void* allocate(std::size_t size) noexcept {
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) [[likely]]
    return memory;
  return spare.take(size);
}

void* allocate_or_throw(std::size_t size) {
  if (void* const memory = allocate(size)) [[likely]]
    return memory;
  throw std::bad_alloc();
}

void deallocate(void* memory) noexcept {
  if (spare.owns(memory)) [[unlikely]] {
    spare.give_back(memory);
  } else {
    std::free(memory);
  }
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate_or_throw(size);
}
void* operator new[](std::size_t size) {
  return allocate_or_throw(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size);
}
void operator delete(void* memory) noexcept {
  deallocate(memory);
}
void operator delete[](void* memory) noexcept {
  deallocate(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  deallocate(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  deallocate(memory);
}
