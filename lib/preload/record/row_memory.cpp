#include "record/peer_table.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include "core/this_process.hpp"

namespace kith::record {
namespace {

/// Magic numbers of statfs(2), of file systems that write a page to a new place each time: there,
/// written zeros reserve nothing, and a full disk would raise SIGBUS in the application.
constexpr long btrfs = 0x9123683E;
constexpr long zfs = 0x2FC12FC1;
constexpr long bcachefs = static_cast<long>(0xCA451A4E);
constexpr long f2fs = static_cast<long>(0xF2F52010);

const std::array<char, 4096> zeros{};

/// The row file of this process and the chunk that is being filled.
struct OpenRowFile {
  bool open = false;
  std::array<char, PATH_MAX> path{};
  pid_t owner = 0;  ///< a forked child leaves its parent's file alone
  dev_t device = 0;
  ino_t inode = 0;
  std::uint64_t size = 0;
  RowFileHeader* header = nullptr;
  char* chunk = nullptr;
  std::size_t chunk_used = 0;
};

constinit std::mutex mutex;
constinit OpenRowFile row_file;

std::size_t in_chunks(std::size_t bytes) {
  return (bytes + row_chunk_bytes - 1) / row_chunk_bytes * row_chunk_bytes;
}

bool is_same_file(int fd) {
  struct stat now {};
  return fstat(fd, &now) == 0 && now.st_dev == row_file.device && now.st_ino == row_file.inode;
}

// Whether the file system overwrites data in place. Asks for it where that is a choice.
bool keeps_its_place(int fd) {
  struct statfs system {};
  if (fstatfs(fd, &system) != 0) return false;
  const long type = static_cast<long>(system.f_type);
  if (type == btrfs) {
    int flags = 0;
    if (ioctl(fd, FS_IOC_GETFLAGS, &flags) != 0) return false;
    flags |= FS_NOCOW_FL;
    return ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0;
  }
  return type != zfs && type != bcachefs && type != f2fs;
}

// Appends `bytes` of zeros and maps them; null with errno when that fails.
char* grow(int fd, std::size_t bytes) {
  const FileSizeSignalBlocked guard;
  for (std::size_t done = 0; done < bytes;) {
    std::array<iovec, 16> parts;
    int count = 0;
    for (std::size_t ahead = done; ahead < bytes && count < 16; ahead += zeros.size()) {
      parts[static_cast<std::size_t>(count++)] = {const_cast<char*>(zeros.data()),
                                                  std::min(bytes - ahead, zeros.size())};
    }
    const ssize_t n = pwritev(fd, parts.data(), count, static_cast<off_t>(row_file.size + done));
    if (n == 0) errno = EIO;
    if (n <= 0 && errno != EINTR) return nullptr;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  void* const place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                           static_cast<off_t>(row_file.size));
  if (place == MAP_FAILED) return nullptr;
  row_file.size += bytes;
  return static_cast<char*>(place);
}

// By its name each time: a program may close descriptors that it does not know.
char* grow_by_name(std::size_t bytes) {
  const int fd = open(row_file.path.data(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return nullptr;
  char* const place = is_same_file(fd) ? grow(fd, bytes) : nullptr;
  close(fd);
  return place;
}

// Null when the file has no place.
void* place_in_file(std::size_t bytes) {
  if (!row_file.open || row_file.owner != getpid()) return nullptr;
  if (bytes > row_chunk_bytes) return grow_by_name(in_chunks(bytes));
  if (row_file.chunk_used + bytes > row_chunk_bytes) {
    char* const fresh = grow_by_name(row_chunk_bytes);
    if (fresh == nullptr) return nullptr;
    row_file.chunk = fresh;
    row_file.chunk_used = 0;
  }
  void* const place = row_file.chunk + row_file.chunk_used;
  row_file.chunk_used += bytes;
  return place;
}

// The first chunk of a new file, with its header.
std::string begin_file(int fd, const RowFile& file) {
  struct stat made {};
  if (fstat(fd, &made) != 0) return std::strerror(errno);
  if (!keeps_its_place(fd)) return "its file system cannot reserve space";
  row_file = {};
  char* const chunk = grow(fd, row_chunk_bytes);
  if (chunk == nullptr) return std::strerror(errno);
  row_file.header = new (chunk)
      RowFileHeader{row_file_magic, row_file_version, file.rank, file.ranks, 0, file.run};
  file.path.copy(row_file.path.data(), file.path.size());
  row_file.owner = getpid();
  row_file.device = made.st_dev;
  row_file.inode = made.st_ino;
  row_file.chunk = chunk;
  row_file.chunk_used = sizeof(RowFileHeader);
  row_file.open = true;
  return {};
}

}  // namespace

RowBlock* make_row_block(std::uint32_t capacity, RowDirection direction) {
  const std::size_t bytes = RowBlock::bytes(capacity);
  const std::scoped_lock lock(mutex);  // so that a block is complete before the next one begins
  void* place = place_in_file(bytes);
  if (place == nullptr) {
    if (row_file.open && row_file.owner == getpid()) row_file.header->incomplete.store(1);
    place = std::calloc(1, bytes);
    if (place == nullptr) return nullptr;
  }
  auto* const block = static_cast<RowBlock*>(place);
  block->direction = direction;
  block->capacity = capacity;
  block->magic.store(row_block_magic, std::memory_order_release);
  return block;
}

std::string keep_rows_in(const RowFile& file) {
  const std::scoped_lock lock(mutex);
  if (file.path.size() >= row_file.path.size()) return "its name is too long";
  const int fd = open(file.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return std::strerror(errno);
  std::string problem = begin_file(fd, file);
  close(fd);
  if (!problem.empty()) unlink(file.path.c_str());
  return problem;
}

void remove_row_file() {
  const std::scoped_lock lock(mutex);
  if (!row_file.open || row_file.owner != getpid()) return;
  row_file.open = false;
  struct stat now {};
  if (lstat(row_file.path.data(), &now) == 0 && now.st_dev == row_file.device &&
      now.st_ino == row_file.inode) {
    unlink(row_file.path.data());
  }
}

}  // namespace kith::record
