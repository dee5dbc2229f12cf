// The names of a trace's files, relative to its directory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace kith::trace_names {

inline constexpr char directory_suffix[] = ".kith";

/// NAME.kith.partial: the rows of a run that has not ended, or never did.
inline constexpr char partial_suffix[] = ".partial";

inline constexpr char meta[] = "meta.json";
inline constexpr char machine[] = "machine.json";
inline constexpr char bytes[] = "bytes.mtx";
inline constexpr char messages[] = "messages.mtx";

inline constexpr char load[] = "load.csv";
inline constexpr char load_header[] = "phase,rank,cpu_outside_s,cpu_inside_s,instructions";
inline constexpr char sizes[] = "sizes.csv";
inline constexpr char sizes_header[] = "class,rank,at_most_bytes,messages";

inline constexpr char classes_directory[] = "classes";
inline constexpr char p2p_bytes[] = "classes/p2p.bytes.mtx";
inline constexpr char coll_bytes[] = "classes/coll.bytes.mtx";
inline constexpr char rma_bytes[] = "classes/rma.bytes.mtx";

inline constexpr char phases_directory[] = "phases";

/// "rank-000123.rows": a rank's counters, of a partial trace; see core/row_block.hpp.
inline constexpr char rows_prefix[] = "rank-";
inline constexpr char rows_suffix[] = ".rows";
inline std::string rank_rows(std::uint32_t rank) {
  std::string digits = std::to_string(rank);
  if (digits.size() < 6) digits.insert(0, 6 - digits.size(), '0');
  return rows_prefix + digits + rows_suffix;
}

/// "phases/0001.bytes.mtx"; phases count from 1, and more than 9999 simply take more digits.
inline std::string phase_bytes(std::uint64_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return std::string(phases_directory) + "/" + digits + ".bytes.mtx";
}

/// "host-0.xml": the topology of the first distinct host kind.
inline std::string host_xml(std::size_t hardware) {
  return "host-" + std::to_string(hardware) + ".xml";
}

}  // namespace kith::trace_names
