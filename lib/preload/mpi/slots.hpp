// The slots of a loaded library: the entries of its global offset table through which it calls the
// functions that it imports. Source: System V ABI, "Dynamic Linking", and its processor
// supplements.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace kith::mpi {

#if defined(__x86_64__)
inline constexpr bool slots_are_known = true;
inline constexpr bool is_function_slot(std::uint64_t type) {
  return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
}
#elif defined(__aarch64__)
inline constexpr bool slots_are_known = true;
inline constexpr bool is_function_slot(std::uint64_t type) {
  return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
}
#else
/// False on a processor whose relocations are not described here: no slot is found then.
inline constexpr bool slots_are_known = false;
inline constexpr bool is_function_slot(std::uint64_t) {
  return false;
}
#endif

/// One imported symbol and the place that holds its address, both inside the library.
struct Slot {
  const char* symbol;
  void** place;
};

/// The slots of one loaded library, read in place; valid while the library stays loaded.
class SlotTable {
 public:
  explicit SlotTable(const dl_phdr_info& library);

  /// Calls visit(Slot) for every slot, in the order of the relocation tables.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for_each_of(lazily_bound_, visit);
    for_each_of(eagerly_bound_, visit);
  }

 private:
  struct Relocations {
    const ElfW(Rela) * first = nullptr;
    std::size_t bytes = 0;
  };

  template <class Visit>
  void for_each_of(const Relocations& relocations, Visit&& visit) const {
    if (relocations.first == nullptr || symbols_ == nullptr || names_ == nullptr) return;
    const std::size_t count = relocations.bytes / sizeof(ElfW(Rela));
    for (std::size_t i = 0; i < count; ++i) {
      const ElfW(Rela)& relocation = relocations.first[i];
      if (!is_function_slot(relocation.r_info & 0xffffffffU)) continue;
      const ElfW(Sym)& symbol = symbols_[relocation.r_info >> 32U];
      visit(Slot{names_ + symbol.st_name, reinterpret_cast<void**>(base_ + relocation.r_offset)});
    }
  }

  ElfW(Addr) base_;
  const ElfW(Sym) * symbols_ = nullptr;
  const char* names_ = nullptr;
  Relocations lazily_bound_;   // DT_JMPREL
  Relocations eagerly_bound_;  // DT_RELA
};

/// The pages of a library that the dynamic linker made read-only after relocation (PT_GNU_RELRO):
/// writable from open() to the end of this object's life.
class ReadOnlySlots {
 public:
  explicit ReadOnlySlots(const dl_phdr_info& library);
  ~ReadOnlySlots();
  ReadOnlySlots(const ReadOnlySlots&) = delete;
  ReadOnlySlots& operator=(const ReadOnlySlots&) = delete;

  bool contain(const void* place) const;
  /// False when the system refuses.
  bool open();

 private:
  std::uintptr_t begin_ = 0;
  std::uintptr_t end_ = 0;
  bool open_ = false;
};

/// Whether an address lies in the memory of a loaded library.
bool contains(const dl_phdr_info& library, const void* address);

/// The symbols of a loaded library, in its own table.
class SymbolTable {
 public:
  explicit SymbolTable(const dl_phdr_info& library);

  /// Calls visit(name, symbol) for every symbol that the library defines.
  template <class Visit>
  void for_each_defined(Visit&& visit) const {
    for (std::size_t i = 1; i < count_; ++i) {
      if (symbols_[i].st_shndx != SHN_UNDEF) visit(names_ + symbols_[i].st_name, symbols_[i]);
    }
  }

 private:
  ElfW(Sym) * symbols_ = nullptr;
  const char* names_ = nullptr;
  std::size_t count_ = 0;
};

/// Held while slots are written: one thread must not close the pages in which another one writes.
/// Nothing is opened or looked up meanwhile, as a thread that waits for it may be inside dlopen.
extern std::mutex slots_are_written;

/// Stores replacement(slot) in every slot of `library` for which that is not null. Slots that
/// cannot be written keep their value: compare afterwards. Thread safe; for callbacks of
/// dl_iterate_phdr: `replacement` calls none of dlopen, dlsym, dladdr.
template <class Replacement>
void redirect_slots(const dl_phdr_info& library, Replacement&& replacement) {
  const std::scoped_lock lock(slots_are_written);
  ReadOnlySlots read_only(library);
  SlotTable(library).for_each([&](Slot slot) {
    void* const wanted = replacement(slot);
    if (wanted == nullptr || *slot.place == wanted) return;
    if (read_only.contain(slot.place) && !read_only.open()) return;
    __atomic_store_n(slot.place, wanted, __ATOMIC_RELEASE);
  });
}

}  // namespace kith::mpi
