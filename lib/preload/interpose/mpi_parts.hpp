// Which of the loaded libraries the MPI library consists of.
#pragma once

#include <link.h>

#include <vector>

namespace kith::interpose {

/// The library that defines PMPI_Init, all that it depends on, its plug-ins, and the libraries that
/// lie beside it and are built with it. A name alone makes no library a part of MPI. Bindings for
/// Fortran are not parts of it: their calls are the program's.
class MpiParts {
 public:
  /// What is loaded now. Throws std::bad_alloc.
  MpiParts();

  /// Whether the library is a part of MPI. Safe where the list of libraries is locked.
  bool contain(const dl_phdr_info& library) const;
  /// Where the library that defines PMPI_Init begins; 0 where no library does.
  ElfW(Addr) main() const { return main_; }

 private:
  ElfW(Addr) main_ = 0;
  std::vector<ElfW(Addr)> bases_;  // ascending
};

}  // namespace kith::interpose
