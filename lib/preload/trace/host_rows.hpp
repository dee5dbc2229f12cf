// What a rank recorded, cut into sections, and the rows that the leader of a host holds for the
// root.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/packer.hpp"
#include "record/row.hpp"
#include "record/size_histogram.hpp"

namespace kith::preload {

// What one rank recorded, as it is gathered.

/// The phase that is open when the run ends, where it has no other name.
inline constexpr char last_phase[] = "end";

/// A part of the run, as one rank closed it. Equal names are one phase.
struct Phase {
  std::string name;
  record::Row row;
  record::Load load;
};

struct RankTraffic {
  record::Row total;
  record::Load load;  ///< of the whole run
  record::SizeHistogram sizes;
  std::vector<Phase> phases;  ///< in the order in which this rank closed them; may differ by rank
};

/// The matrices of section 0; a phase has the first alone.
enum class MatrixKind : std::uint8_t { bytes, messages, p2p, coll, rma };
inline constexpr std::size_t matrix_count = 5;

/// What a cell has in a matrix.
std::uint64_t value_in(MatrixKind matrix, const record::RowCell& cell);

/// Entries other than 0, by matrix: what a Matrix Market header announces.
using EntryCounts = std::array<std::uint64_t, matrix_count>;

/// One rank's part of a section.
struct SectionRow {
  record::Row row;  ///< nothing is `fetched` any more when it is packed
  record::Load load;
};

/// One rank's traffic by section; phases of equal names added up. `phases` are the job's, all of
/// `traffic` among them. A rank that closed no phase was in the last one all the time: in
/// last_phase where the job has it.
struct RankSections {
  std::vector<SectionRow> sections;
  record::SizeHistogram sizes;
};
RankSections divide(RankTraffic traffic, const std::vector<std::string>& phases);

/// What a rank sends to the leader of its host. `rank`: that the program sees.
std::string pack_rank(std::uint32_t rank, const RankSections& sections);

/// One rank's part of a section, unpacked. Only section 0 has sizes.
struct UnpackedRow {
  record::Cells cells;
  record::Load load;
  record::SizeHistogram sizes;
};
UnpackedRow unpack_row(std::size_t section, std::string_view packed);

/// What a leader has of a section, in numbers.
struct Announcement {
  struct Part {
    std::uint32_t rank;
    std::uint64_t bytes;  ///< packed
  };
  EntryCounts entries{};
  std::vector<Part> parts;  ///< by ascending rank
};
std::string pack_announcement(const Announcement& announcement);
/// Throws std::runtime_error for what is no announcement: how a leader says that it lacks rows.
Announcement unpack_announcement(std::string_view packed);

/// Ranks `first` to `end` - 1.
struct RankRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

class HostRows {
 public:
  /// One rank's pack_rank(). Throws std::runtime_error when it was cut short, and std::bad_alloc.
  void add(std::string packed);

  Announcement announce(std::size_t section) const;
  bool has_any(RankRange ranks) const;
  /// The rows of those of `ranks` that are held here, one labelled row behind the other.
  std::string batch(std::size_t section, RankRange ranks) const;

 private:
  struct Span {
    std::size_t at;
    std::size_t size;
  };
  struct Holding {
    std::uint32_t rank;
    std::string packed;
    std::vector<EntryCounts> entries;  ///< by section
    std::vector<Span> sections;        ///< where in `packed`
  };
  std::vector<Holding>::const_iterator first_from(std::uint32_t rank) const;

  std::vector<Holding> holdings_;  ///< by ascending rank
};

/// Calls visit(rank, packed row) for each row of a batch. Throws std::runtime_error.
template <class Visit>
void for_each_row(std::string_view batch, Visit&& visit) {
  Unpacker unpacker(batch);
  while (!unpacker.done()) {
    const auto rank = unpacker.get<std::uint32_t>();
    visit(rank, unpacker.get_text());
  }
}

}  // namespace kith::preload
