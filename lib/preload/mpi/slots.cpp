#include "mpi/slots.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace kith::mpi {

constinit std::mutex slots_are_written;

namespace {

// glibc stores absolute addresses in the dynamic section, other C libraries offsets.
template <class Pointer>
Pointer address(ElfW(Addr) base, ElfW(Addr) value) {
  return reinterpret_cast<Pointer>(value < base ? base + value : value);
}

const ElfW(Dyn) * dynamic_section(const dl_phdr_info& library) {
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = library.dlpi_phdr[i];
    if (segment.p_type == PT_DYNAMIC) {
      return reinterpret_cast<const ElfW(Dyn)*>(library.dlpi_addr + segment.p_vaddr);
    }
  }
  return nullptr;
}

}  // namespace

SlotTable::SlotTable(const dl_phdr_info& library) : base_(library.dlpi_addr) {
  const ElfW(Dyn)* entry = dynamic_section(library);
  if (entry == nullptr || !slots_are_known) return;
  for (; entry->d_tag != DT_NULL; ++entry) {
    const ElfW(Addr) value = entry->d_un.d_val;
    switch (entry->d_tag) {
      case DT_SYMTAB:
        symbols_ = address<const ElfW(Sym)*>(base_, value);
        break;
      case DT_STRTAB:
        names_ = address<const char*>(base_, value);
        break;
      case DT_JMPREL:
        lazily_bound_.first = address<const ElfW(Rela)*>(base_, value);
        break;
      case DT_PLTRELSZ:
        lazily_bound_.bytes = value;
        break;
      case DT_RELA:
        eagerly_bound_.first = address<const ElfW(Rela)*>(base_, value);
        break;
      case DT_RELASZ:
        eagerly_bound_.bytes = value;
        break;
      default:
        break;
    }
  }
}

namespace {

/// How many symbols a table of GNU's hashes covers: one more than the last of the longest chain.
/// Source: the hash section that GNU ld writes for --hash-style=gnu.
std::size_t symbols_of_gnu_hash(const std::uint32_t* table) {
  const std::uint32_t buckets = table[0];
  const std::uint32_t first = table[1];
  const std::uint32_t bloom_words = table[2];
  const auto* const bucket = table + 4 + bloom_words * (sizeof(ElfW(Addr)) / sizeof(*table));
  const std::uint32_t* const chain = bucket + buckets;
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < buckets; ++i) last = bucket[i] > last ? bucket[i] : last;
  if (last < first) return first;
  while ((chain[last - first] & 1U) == 0) ++last;
  return std::size_t{last} + 1;
}

}  // namespace

bool contains(const dl_phdr_info& library, const void* address) {
  const auto offset = reinterpret_cast<ElfW(Addr)>(address) - library.dlpi_addr;
  return std::any_of(library.dlpi_phdr, library.dlpi_phdr + library.dlpi_phnum,
                     [&](const ElfW(Phdr) & segment) {
                       return segment.p_type == PT_LOAD && offset >= segment.p_vaddr &&
                              offset < segment.p_vaddr + segment.p_memsz;
                     });
}

SymbolTable::SymbolTable(const dl_phdr_info& library) {
  const ElfW(Dyn)* entry = dynamic_section(library);
  if (entry == nullptr) return;
  const ElfW(Addr) base = library.dlpi_addr;
  for (; entry->d_tag != DT_NULL; ++entry) {
    const ElfW(Addr) value = entry->d_un.d_val;
    if (entry->d_tag == DT_SYMTAB) symbols_ = address<ElfW(Sym)*>(base, value);
    if (entry->d_tag == DT_STRTAB) names_ = address<const char*>(base, value);
    if (entry->d_tag == DT_HASH) count_ = address<const std::uint32_t*>(base, value)[1];
    if (entry->d_tag == DT_GNU_HASH && count_ == 0) {
      count_ = symbols_of_gnu_hash(address<const std::uint32_t*>(base, value));
    }
  }
  if (symbols_ == nullptr || names_ == nullptr) count_ = 0;
}

ReadOnlySlots::ReadOnlySlots(const dl_phdr_info& library) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = library.dlpi_phdr[i];
    if (segment.p_type != PT_GNU_RELRO) continue;
    const std::uintptr_t start = library.dlpi_addr + segment.p_vaddr;
    begin_ = start & ~(page - 1);
    end_ = (start + segment.p_memsz) & ~(page - 1);  // what shares its page stays writable
  }
}

ReadOnlySlots::~ReadOnlySlots() {
  if (open_) mprotect(reinterpret_cast<void*>(begin_), end_ - begin_, PROT_READ);
}

bool ReadOnlySlots::contain(const void* place) const {
  const auto where = reinterpret_cast<std::uintptr_t>(place);
  return where >= begin_ && where < end_;
}

bool ReadOnlySlots::open() {
  if (!open_) {
    open_ = mprotect(reinterpret_cast<void*>(begin_), end_ - begin_, PROT_READ | PROT_WRITE) == 0;
  }
  return open_;
}

}  // namespace kith::mpi
