#include "session/program_identity.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "core/digest.hpp"
#include "protocol/packer.hpp"
#include "session/job_trace.hpp"

namespace kith::runtime {
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

// As the kernel has it: a NUL behind each word.
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

std::string pack_this_program() {
  Packer packer;
  packer.put_text(program_name());
  packer.put_text(build_of_this_program());
  packer.put_text(command_line());
  return packer.take();
}

// Equal ones in a row are one part.
std::string pack_parts(const std::vector<std::string>& by_rank) {
  Packer packer;
  for (std::size_t first = 0; first < by_rank.size();) {
    std::size_t end = first + 1;
    while (end < by_rank.size() && by_rank[end] == by_rank[first]) ++end;
    packer.put(static_cast<std::uint32_t>(end - first));
    packer.put_text(by_rank[first]);
    first = end;
  }
  return packer.take();
}

}  // namespace

std::string build_of_this_program() {
  std::string build;
  dl_iterate_phdr(find_build_id, &build);
  return build.empty() ? size_and_date() : build;
}

std::string gather_program(PrivateComm& private_comm) {
  const std::string own = pack_this_program();
  const std::string of_root = private_comm.broadcast(own);
  if (!private_comm.all_agree(own == of_root)) {
    const std::vector<std::string> all = private_comm.gather(own);
    return private_comm.is_root() ? pack_parts(all) : "";
  }
  if (!private_comm.is_root()) return {};
  Packer packer;
  packer.put(static_cast<std::uint32_t>(private_comm.size()));
  packer.put_text(own);
  return packer.take();
}

}  // namespace kith::runtime
