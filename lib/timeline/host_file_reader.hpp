// Reads what HostFile made.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "timeline/byte_reader.hpp"
#include "timeline/host_file.hpp"

namespace kith::timeline {

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
  std::vector<Communicator> base_;
};

}  // namespace kith::timeline
