#include "interpose/bypass_report.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "mpi/late_binding.hpp"

namespace kith::interpose {
namespace {

/// Built with an MPI library and installed beside it, without being needed by it.
constexpr std::array<std::string_view, 5> siblings{"libmpi_cxx", "libmpi_java", "liboshmem",
                                                   "libmpicxx", "libmpichcxx"};

struct Loaded {
  std::string path;
  ElfW(Addr) base;
  std::vector<std::string> needed;
};

// glibc stores absolute addresses in the dynamic section, other C libraries offsets.
const char* text_at(ElfW(Addr) base, ElfW(Addr) value) {
  return reinterpret_cast<const char*>(value < base ? base + value : value);
}

std::vector<std::string> needed_by(const dl_phdr_info& library) {
  std::vector<ElfW(Addr)> offsets;
  const char* names = nullptr;
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = library.dlpi_phdr[i];
    if (segment.p_type != PT_DYNAMIC) continue;
    const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(library.dlpi_addr + segment.p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_NEEDED) offsets.push_back(entry->d_un.d_val);
      if (entry->d_tag == DT_STRTAB) names = text_at(library.dlpi_addr, entry->d_un.d_ptr);
    }
  }
  std::vector<std::string> needed;
  if (names == nullptr) return needed;
  for (const ElfW(Addr) offset : offsets) needed.emplace_back(names + offset);
  return needed;
}

// No call of dlopen or dlsym in here: the list of libraries is locked.
int note_library(dl_phdr_info* library, std::size_t, void* data) {
  const char* const path = library->dlpi_name == nullptr ? "" : library->dlpi_name;
  static_cast<std::vector<Loaded>*>(data)->push_back(
      {path, library->dlpi_addr, needed_by(*library)});
  return 0;
}

/// How many libraries were opened and closed so far.
struct Changes {
  unsigned long long opened = 0;
  unsigned long long closed = 0;
  bool operator==(const Changes&) const = default;
};

Changes changes_of_libraries() {
  Changes changes;
  const auto read = [](dl_phdr_info* library, std::size_t, void* data) {
    *static_cast<Changes*>(data) = {library->dlpi_adds, library->dlpi_subs};
    return 1;  // the same numbers in each
  };
  dl_iterate_phdr(read, &changes);
  return changes;
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // all of it where there is no slash
}

/// "mca_osc_rdma.so" defines mca_osc_rdma_component: so Open MPI finds its plug-ins.
bool is_plugin(const Loaded& library) {
  const std::string_view name = file_name(library.path);
  if (!name.starts_with("mca_")) return false;
  void* const handle = dlopen(library.path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return false;
  const std::string component(name.substr(0, name.find('.')));
  const bool defines = dlsym(handle, (component + "_component").c_str()) != nullptr;
  dlclose(handle);
  return defines;
}

std::filesystem::path folder_of(const std::string& path) {
  std::error_code error;
  return std::filesystem::canonical(path, error).parent_path();
}

bool is_sibling(const Loaded& library, const std::filesystem::path& folder) {
  const std::string_view name = file_name(library.path);
  const std::string_view stem = name.substr(0, name.find('.'));
  return std::ranges::find(siblings, stem) != siblings.end() && !folder.empty() &&
         folder_of(library.path) == folder;
}

/// Adds what the parts depend on, until nothing is added.
void add_needed(const std::vector<Loaded>& loaded, std::vector<const Loaded*>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const std::string& needed : parts[i]->needed) {
      const auto library = std::ranges::find_if(
          loaded, [&](const Loaded& other) { return file_name(other.path) == file_name(needed); });
      if (library == loaded.end()) continue;
      if (std::ranges::find(parts, &*library) == parts.end()) parts.push_back(&*library);
    }
  }
}

}  // namespace

MpiParts::MpiParts() {
  void* const init = mpi::find_symbol("PMPI_Init");
  Dl_info its{};
  link_map* map = nullptr;
  if (init == nullptr ||
      dladdr1(init, &its, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr) {
    return;
  }
  main_ = map->l_addr;
  std::vector<Loaded> loaded;
  dl_iterate_phdr(note_library, &loaded);
  const auto main = std::ranges::find(loaded, main_, &Loaded::base);
  if (main == loaded.end()) return;
  std::vector<const Loaded*> parts{&*main};
  add_needed(loaded, parts);
  const std::filesystem::path folder = folder_of(main->path);
  for (const Loaded& library : loaded) {
    if (is_plugin(library) || is_sibling(library, folder)) parts.push_back(&library);
  }
  for (const Loaded* const part : parts) bases_.push_back(part->base);
  std::ranges::sort(bases_);
}

const MpiParts& MpiParts::now() {
  static constinit std::optional<MpiParts> parts;
  static constinit Changes changes_then;
  const Changes changes = changes_of_libraries();
  if (!parts || changes != changes_then) {
    parts.emplace(MpiParts());
    changes_then = changes;
  }
  return *parts;
}

bool MpiParts::contain(const dl_phdr_info& library) const {
  return std::ranges::binary_search(bases_, library.dlpi_addr);
}

}  // namespace kith::interpose
