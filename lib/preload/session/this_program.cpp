#include "session/this_program.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstring>

#include "core/digest.hpp"

namespace kith::preload {
namespace {

constexpr std::size_t longest_command = std::size_t{1} << 20;

/// The digits of a build-id among the notes at `at`; empty: it is not there.
std::string build_id_in(const char* at, std::size_t size, std::size_t alignment) {
  const auto padded = [&](std::size_t length) {
    return (length + alignment - 1) / alignment * alignment;
  };
  ElfW(Nhdr) note;
  while (size >= sizeof note) {
    std::memcpy(&note, at, sizeof note);
    const std::size_t name = padded(note.n_namesz);
    const std::size_t whole = sizeof note + name + padded(note.n_descsz);
    if (whole > size || note.n_descsz > size) return {};
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(at + sizeof note, "GNU", 4) == 0) {
      return Digest().add({at + sizeof note + name, note.n_descsz}).hex();
    }
    at += whole;
    size -= whole;
  }
  return {};
}

int find_build_id(dl_phdr_info* program, std::size_t, void* result) {
  for (int i = 0; i < program->dlpi_phnum; ++i) {
    const auto& segment = program->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* const notes = reinterpret_cast<const char*>(program->dlpi_addr + segment.p_vaddr);
    std::string& found = *static_cast<std::string*>(result);
    found = build_id_in(notes, segment.p_memsz, segment.p_align == 8 ? 8 : 4);
    if (!found.empty()) break;
  }
  return 1;  // the first object is the program: no others are wanted
}

std::string size_and_date() {
  struct stat file {};
  if (stat("/proc/self/exe", &file) != 0) return {};
  return std::to_string(file.st_size) + " " + std::to_string(file.st_mtim.tv_sec) + "." +
         std::to_string(file.st_mtim.tv_nsec);
}

}  // namespace

std::string program_name() {
  std::array<char, PATH_MAX> path{};
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : "unknown";
}

std::string command_line() {
  std::string words;
  const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return words;
  std::array<char, 4096> block;
  while (words.size() < longest_command) {
    const ssize_t size = read(fd, block.data(), block.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    words.append(block.data(), static_cast<std::size_t>(size));
  }
  close(fd);
  return words;
}

std::string build_of_this_program() {
  std::string build;
  dl_iterate_phdr(find_build_id, &build);
  return build.empty() ? size_and_date() : build;
}

}  // namespace kith::preload
