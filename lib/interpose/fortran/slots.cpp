#include "interpose/fortran/slots.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace kith::interpose {
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

}  // namespace kith::interpose
