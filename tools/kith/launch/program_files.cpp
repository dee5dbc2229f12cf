// What the files of the programs say: whether a library can be preloaded.
#include "launch/launcher.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>

namespace kith::tools {
namespace {

/// Reads plain values at offsets; nothing beyond the end.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : file_(path, std::ios::binary) {}

  template <class Value>
  std::optional<Value> at(std::uint64_t offset) {
    Value value{};
    file_.clear();
    if (!file_.seekg(static_cast<std::streamoff>(offset))) return std::nullopt;
    if (!file_.read(reinterpret_cast<char*>(&value), sizeof value)) return std::nullopt;
    return value;
  }
  std::string text_at(std::uint64_t offset) {
    std::string text;
    file_.clear();
    if (file_.seekg(static_cast<std::streamoff>(offset))) std::getline(file_, text, '\0');
    return text;
  }

 private:
  std::ifstream file_;
};

/// What of the file is needed to follow addresses in it.
struct Segments {
  std::vector<Elf64_Phdr> loaded;
  std::optional<Elf64_Phdr> dynamic;
  bool names_loader = false;  ///< the one that loads shared libraries, and what is preloaded
  bool can_start = false;

  std::optional<std::uint64_t> offset_of(std::uint64_t address) const {
    for (const Elf64_Phdr& part : loaded) {
      if (address >= part.p_vaddr && address - part.p_vaddr < part.p_filesz) {
        return part.p_offset + (address - part.p_vaddr);
      }
    }
    return std::nullopt;
  }
};

bool is_elf(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0;
}

std::optional<Segments> read_segments(ElfFile& file) {
  const auto header = file.at<Elf64_Ehdr>(0);
  if (!header || !is_elf(*header)) return std::nullopt;
  if (header->e_ident[EI_CLASS] != ELFCLASS64) return std::nullopt;
  Segments segments;
  segments.can_start = header->e_entry != 0;
  for (std::uint64_t i = 0; i < header->e_phnum; ++i) {
    const auto part = file.at<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!part) return std::nullopt;
    if (part->p_type == PT_LOAD) segments.loaded.push_back(*part);
    if (part->p_type == PT_DYNAMIC) segments.dynamic = part;
    if (part->p_type == PT_INTERP) segments.names_loader = true;
  }
  return segments;
}

/// DT_NEEDED of an ELF file of 64 bits, in order; empty for every other file, and where it cannot
/// be read.
std::vector<std::string> needed_libraries(const std::string& path) {
  ElfFile file(path);
  const auto segments = read_segments(file);
  if (!segments || !segments->dynamic) return {};
  std::vector<std::uint64_t> names;
  std::optional<std::uint64_t> strings;
  const std::uint64_t entries = segments->dynamic->p_filesz / sizeof(Elf64_Dyn);
  for (std::uint64_t i = 0; i < entries; ++i) {
    const auto entry = file.at<Elf64_Dyn>(segments->dynamic->p_offset + i * sizeof(Elf64_Dyn));
    if (!entry || entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_NEEDED) names.push_back(entry->d_un.d_val);
    if (entry->d_tag == DT_STRTAB) strings = segments->offset_of(entry->d_un.d_ptr);
  }
  std::vector<std::string> libraries;
  for (const std::uint64_t name : names) {
    if (strings) libraries.push_back(file.text_at(*strings + name));
  }
  return libraries;
}

constexpr std::string_view check = "verify_asan_link_order";

/// GCC's runtime, or clang's where it is shared. A runtime that is linked into the program does not
/// check which library was loaded first.
bool needs_shared_runtime(const std::string& path) {
  return std::ranges::any_of(needed_libraries(path), [](const std::string& library) {
    return library.starts_with("libasan.so") || library.starts_with("libclang_rt.asan");
  });
}

/// The first word of a program, or behind it (the program may be a wrapper's argument), that is
/// built so.
std::string sanitized_program(const Words& command, const Launcher& launcher) {
  for (const Context& context :
       split_contexts(command, launcher.index, options_of_kind(launcher.kind))) {
    for (std::size_t at = context.program; at < context.end; ++at) {
      const auto path = find_program(command[at]);
      if (path && needs_shared_runtime(*path)) return command[at];
    }
  }
  return {};
}

bool is_static(const std::string& path) {
  ElfFile file(path);
  const auto segments = read_segments(file);
  return segments && segments->can_start && !segments->loaded.empty() && !segments->names_loader;
}

}  // namespace

bool is_no_script(const std::string& path) {
  const auto header = ElfFile(path).at<Elf64_Ehdr>(0);
  return header && is_elf(*header);
}

bool is_static_program(const std::string& program) {
  const auto path = find_program(program);
  return path && is_static(*path);
}

std::string static_program(const Words& command, const Launcher& launcher) {
  if (launcher.is_assumed && is_static(launcher.path)) return command[launcher.index];
  for (const Context& context :
       split_contexts(command, launcher.index, options_of_kind(launcher.kind))) {
    if (context.program >= context.end) continue;
    // The first word may be a static wrapper, which starts a program that is not static.
    const auto begin = command.begin() + static_cast<std::ptrdiff_t>(context.program);
    const auto end = command.begin() + static_cast<std::ptrdiff_t>(context.end);
    const bool is_wrapper = std::any_of(
        begin + 1, end, [](const std::string& word) { return find_program(word).has_value(); });
    const auto path = find_program(*begin);
    if (path && !is_wrapper && is_static(*path)) return *begin;
  }
  return {};
}

std::string sanitizer_warning(const Words& command, const Launcher& launcher,
                              const std::optional<std::string>& asan_options) {
  const auto names_check = [](const std::string& text) {
    return text.find(check) != std::string::npos;
  };
  if (asan_options && names_check(*asan_options)) return {};
  if (std::ranges::any_of(command, names_check)) return {};
  const std::string program = sanitized_program(command, launcher);
  if (program.empty()) return {};
  return fmt::format(
      "warning: {} is built with AddressSanitizer, which ends programs that have a library "
      "preloaded: give the ranks ASAN_OPTIONS={}=0",
      program, check);
}

}  // namespace kith::tools
