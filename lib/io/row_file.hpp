// The row files of a partial trace: one rank's counters, as core/row_block.hpp lays them out.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>

namespace kith {

/// One counter: `source` sent to `destination`, or had it fetched.
struct RowFileEntry {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint64_t messages = 0;
  std::array<std::uint64_t, 3> bytes{};  ///< point-to-point, collective, one-sided
};

/// What the files beside it promise of a row file.
struct RowFileExpectation {
  std::uint32_t rank = 0;
  std::uint32_t ranks = 0;
  std::uint64_t run = 0;
};

enum class RowFileState {
  whole,
  incomplete,  ///< the rank had more counters than found place in its file
  empty,       ///< made, but never begun: its process or host ended too early
};

/// Visits the counters that are not all 0; a pair may come more than once (a rank has threads).
/// Memory: a buffer; the file may belong to a job that still runs. Throws Error (input) with what
/// was expected and found where.
RowFileState read_row_file(const std::filesystem::path& path, const RowFileExpectation& expected,
                           const std::function<void(const RowFileEntry&)>& visit);

}  // namespace kith
