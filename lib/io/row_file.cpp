#include "io/trace_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "core/row_block.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

// The layouts of core/row_block.hpp without the atomics: another process writes, or none.
struct RowFileStart {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t rank;
  std::uint32_t ranks;
  std::uint32_t incomplete;
  std::uint64_t run;
};
static_assert(sizeof(RowFileStart) == sizeof(RowFileHeader));

struct Block {
  std::uint32_t magic;
  std::uint32_t direction;
  std::uint32_t capacity;
  std::uint32_t used;
};
static_assert(sizeof(Block) == sizeof(RowBlock));

struct Entry {
  std::uint64_t messages;
  std::array<std::uint64_t, 3> bytes;
  std::uint32_t peer;
  std::uint32_t unused;
};
static_assert(sizeof(Entry) == sizeof(RowEntry));

/// Reads ahead by a chunk.
class RowFileBytes {
 public:
  explicit RowFileBytes(const std::filesystem::path& path)
      : name_(path.string()), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (fd_ < 0) throw unreadable();
    struct stat found {};
    if (::fstat(fd_, &found) != 0) throw unreadable();
    if (!S_ISREG(found.st_mode)) throw bad_input(name_, "a row file", "no regular file");
    size_ = static_cast<std::uint64_t>(found.st_size);
  }
  ~RowFileBytes() {
    if (fd_ >= 0) ::close(fd_);
  }
  RowFileBytes(const RowFileBytes&) = delete;
  RowFileBytes& operator=(const RowFileBytes&) = delete;

  std::uint64_t size() const { return size_; }
  const std::string& name() const { return name_; }

  /// The value at `offset`, which with it lies in the file.
  template <class T>
  T get(std::uint64_t offset) {
    if (offset < begin_ || offset + sizeof(T) > begin_ + buffer_.size()) fill(offset, sizeof(T));
    T value;
    std::memcpy(&value, buffer_.data() + (offset - begin_), sizeof value);
    return value;
  }

  Error error(std::uint64_t offset, const std::string& expected, const std::string& found) const {
    return bad_input(name_ + ": byte " + std::to_string(offset), expected, found);
  }

 private:
  Error unreadable() const {
    return bad_input(name_, "a readable file", std::generic_category().message(errno));
  }

  void fill(std::uint64_t offset, std::size_t least) {
    begin_ = offset;
    buffer_.resize(std::min<std::uint64_t>(row_chunk_bytes, size_ - std::min(offset, size_)));
    std::size_t done = 0;
    while (done < buffer_.size()) {
      const ssize_t n = ::pread(fd_, buffer_.data() + done, buffer_.size() - done,
                                static_cast<off_t>(offset + done));
      if (n == 0) break;
      if (n < 0 && errno != EINTR) throw unreadable();
      if (n > 0) done += static_cast<std::size_t>(n);
    }
    buffer_.resize(done);
    if (done < least) {
      throw error(offset, "more bytes", "the end of the file");
    }
  }

  std::string name_;
  int fd_;
  std::uint64_t size_ = 0;
  std::uint64_t begin_ = 0;
  std::vector<char> buffer_;
};

std::string hex(std::uint64_t number) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (int i = 15; i >= 0; --i, number >>= 4)
    text[static_cast<std::size_t>(i)] = digits[number & 15];
  return text;
}

// The process ended before it had written the header, or the host before it reached the disk.
bool never_began(RowFileBytes& file) {
  if (file.size() == 0) return true;
  return file.size() >= sizeof(RowFileStart) &&
         file.get<RowFileStart>(0).magic == std::array<char, 8>{};
}

RowFileStart read_header(RowFileBytes& file, const RowFileExpectation& expected) {
  if (file.size() < sizeof(RowFileStart)) {
    throw bad_input(file.name(),
                    "a row file of at least " + std::to_string(sizeof(RowFileStart)) + " bytes",
                    std::to_string(file.size()));
  }
  const auto header = file.get<RowFileStart>(0);
  if (header.magic != row_file_magic) {
    throw file.error(0, "\"kithrows\", the begin of a row file", "other bytes");
  }
  const auto demand = [&](const char* what, const std::string& wanted, const std::string& found) {
    if (wanted != found) throw bad_input(file.name() + ": " + what, wanted, found);
  };
  demand("version", std::to_string(row_file_version), std::to_string(header.version));
  demand("rank", std::to_string(expected.rank), std::to_string(header.rank));
  demand("number of ranks", std::to_string(expected.ranks), std::to_string(header.ranks));
  demand("run", hex(expected.run), hex(header.run));
  return header;
}

/// The bytes of the block at `offset`, checked; 0 where the rest of the chunk is unused.
std::uint64_t check_block(const RowFileBytes& file, std::uint64_t offset, const Block& block) {
  if (block.magic == 0) return 0;
  if (block.magic != row_block_magic) {
    throw file.error(offset, "a block of counters or zeros", "other bytes");
  }
  if (block.direction != static_cast<std::uint32_t>(RowDirection::sent) &&
      block.direction != static_cast<std::uint32_t>(RowDirection::fetched)) {
    throw file.error(offset, "a block of what was sent (1) or fetched (2)",
                     std::to_string(block.direction));
  }
  const std::uint64_t bytes = RowBlock::bytes(block.capacity);
  if (bytes > file.size() - offset) {
    throw file.error(
        offset,
        std::to_string(bytes) + " bytes for " + std::to_string(block.capacity) + " counters",
        std::to_string(file.size() - offset) + " at the end of the file");
  }
  if (block.used > block.capacity) {
    throw file.error(offset, "at most " + std::to_string(block.capacity) + " used counters",
                     std::to_string(block.used));
  }
  return bytes;
}

void read_entries(RowFileBytes& file, std::uint64_t offset, const Block& block,
                  const RowFileExpectation& expected,
                  const std::function<void(const RowFileEntry&)>& visit) {
  const bool sent = block.direction == static_cast<std::uint32_t>(RowDirection::sent);
  for (std::uint32_t i = 0; i < block.used; ++i, offset += sizeof(Entry)) {
    const auto entry = file.get<Entry>(offset);
    if (entry.peer >= expected.ranks) {
      throw file.error(offset, "a peer below " + std::to_string(expected.ranks),
                       std::to_string(entry.peer));
    }
    if (entry.messages == 0 && entry.bytes == std::array<std::uint64_t, 3>{}) continue;
    visit({sent ? expected.rank : entry.peer, sent ? entry.peer : expected.rank, entry.messages,
           entry.bytes});
  }
}

}  // namespace

RowFileState read_row_file(const std::filesystem::path& path, const RowFileExpectation& expected,
                           const std::function<void(const RowFileEntry&)>& visit) {
  RowFileBytes file(path);
  if (never_began(file)) return RowFileState::empty;
  const RowFileStart header = read_header(file, expected);
  const auto next_chunk = [](std::uint64_t at) {
    return (at / row_chunk_bytes + 1) * row_chunk_bytes;
  };
  std::uint64_t offset = sizeof(RowFileStart);
  while (offset + sizeof(Block) <= file.size()) {
    const auto block = file.get<Block>(offset);
    const std::uint64_t bytes = check_block(file, offset, block);
    if (bytes == 0) {
      offset = next_chunk(offset);
      continue;
    }
    read_entries(file, offset + sizeof(Block), block, expected, visit);
    offset += bytes;
    const bool fills_chunks = bytes > row_chunk_bytes && offset % row_chunk_bytes != 0;
    const bool no_room = row_chunk_bytes - offset % row_chunk_bytes < sizeof(Block);
    if (fills_chunks || no_room) offset = next_chunk(offset);
  }
  return header.incomplete == 0 ? RowFileState::whole : RowFileState::incomplete;
}

}  // namespace kith
