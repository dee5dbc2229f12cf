// Names of nodes as people and launchers write them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kith {

/// More names than this are refused: a text of a few bytes can stand for very many.
inline constexpr std::uint64_t max_listed_nodes = std::uint64_t{1} << 20;

/// Slurm's hostlist: "tux[0-3,07-12],r[0-1]c[0-3]-ib,gpu01" in the order of the text; a range has
/// as many digits as its first number. `where` names the culprit in errors. At most `limit` names.
/// Throws Error (input).
std::vector<std::string> expand_hostlist(std::string_view text, std::string_view where,
                                         std::uint64_t limit = max_listed_nodes);

/// The inverse, for people: "tux[0-3,7-12],gpu01". The last number before the first dot of a name
/// becomes a range; in each range names ascend, and each name stands once.
std::string compress_hostlist(std::span<const std::string> names);

/// A node and how many of its slots.
struct NodeCount {
  std::string name;
  std::uint32_t slots = 0;  ///< the first so many; 0: all
  bool operator==(const NodeCount&) const = default;
};

/// A hostlist whose items may end in ":N"; or the name of a file (it has a '/' or exists) with a
/// hostlist per line, behind it what Open MPI 4.1 takes in a hostfile ("slots=N", "max_slots=N",
/// ...); "USER@" before a host is dropped, '#' begins a comment. In the order of first mention.
/// A node named more than once has the sum of its N's. Batch systems write a line per slot: in a
/// line with one node to be named without N is to count one. In a list it is to have all its slots.
/// Throws Error (input): `option` or FILE:LINE, what was expected and found.
std::vector<NodeCount> parse_node_list(std::string_view text, std::string_view option);
/// Whether parse_node_list() reads `text` as the name of a file.
bool names_node_file(std::string_view text);

}  // namespace kith
