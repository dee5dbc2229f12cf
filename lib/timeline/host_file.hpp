// The timelines of the ranks of one host as one file, `NAME.kith/timeline/host-000000.timeline`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "timeline/byte_reader.hpp"
#include "timeline/packed_rank.hpp"

namespace kith::timeline {

inline constexpr std::string_view host_file_magic = "KITHTIME";
inline constexpr std::uint64_t host_file_version = 2;
/// Sections: a kind, the size of what follows, that, and a checksum of all three.
enum class SectionKind : char { head = 'H', program = 'P', rank = 'R', index = 'I' };

struct RankPlace {
  std::uint32_t rank = 0;
  std::uint64_t place = 0;  ///< of its section
};

/// What the section at the end of the file says.
struct HostFileIndex {
  std::vector<std::uint64_t> programs;  ///< places of their sections
  std::vector<RankPlace> ranks;
};

/// Makes the file's bytes. Programs that ranks share are in it once.
class HostFile {
 public:
  /// `packed_rank` as of pack_rank(). Throws Error where it is damaged, and is then as before.
  void add(std::string_view packed_rank);
  /// The bytes; afterwards it is empty.
  std::string take();

 private:
  struct KnownProgram {
    std::uint64_t begin = 0;  ///< of its bytes in bytes_
    std::uint64_t size = 0;
    std::vector<PositionCode> times;  ///< the first thread's, to which others are differences
  };

  /// Returns where its payload ends.
  std::size_t put_section(SectionKind kind, std::string_view payload);
  void put_head(const RankFacts& base);
  std::size_t number_of_program(const ThreadCode& thread);

  std::string bytes_;
  std::vector<Communicator> base_;  ///< the first rank's, to which others are differences
  std::vector<KnownProgram> programs_;
  std::unordered_multimap<std::uint64_t, std::size_t> numbers_;  ///< of programs, by checksum
  HostFileIndex index_;
};

// Reading it.

/// The last bytes of a file: where its index is, and the checksum of the file.
inline constexpr std::size_t host_file_end = 2 * sizeof(std::uint64_t);

/// `place` of the index, from the end of the file. `size` is that of the file.
std::uint64_t place_of_index(std::string_view name, std::string_view end, std::uint64_t size);
/// `bytes` are those from `place` to the end of the file.
HostFileIndex read_index(std::string_view name, std::string_view bytes, std::uint64_t place);

/// A host's file in memory. Everything throws Error that says where the damage is.
class HostFileReader {
 public:
  HostFileReader(std::string name, std::string bytes);

  const std::vector<RankPlace>& ranks() const { return index_.ranks; }
  RankTimeline read(const RankPlace& rank) const;

 private:
  ByteReader section(std::uint64_t place, char kind) const;
  void find_damage() const;

  std::string name_;
  std::string bytes_;
  HostFileIndex index_;
  std::uint64_t version_ = 0;
  std::vector<Communicator> base_;
};

}  // namespace kith::timeline
