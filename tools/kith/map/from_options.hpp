// Where the ranks are now and what moving costs: --from and --move-cost.
#pragma once

#include <optional>
#include <string>

#include "kith/mapper.hpp"

namespace CLI {
class App;
}

namespace kith::tools {

/// The words of the command line.
struct FromWords {
  std::optional<std::string> mapping;
  std::optional<std::string> move_cost;
};

/// `words` must outlive `app`.
void add_from_options(CLI::App& app, FromWords& words);

/// Sets options.from and options.move_cost for `ranks` ranks; the goal must be known.
/// Ranks beyond those of the mapping are new. Tells where the mapping was made for another machine.
/// Throws Error (input) with file:line or the option.
void read_from(const FromWords& words, const Machine& machine, std::uint32_t ranks,
               MapOptions& options);

/// How the ranks of an answer move.
struct Moves {
  std::uint64_t moved = 0;      ///< leave the place that they had
  std::uint64_t displaced = 0;  ///< of them: whose slot is not allowed any more
  std::uint64_t added = 0;      ///< had no place
};
Moves count_moves(const Mapping& from, const Mapping& to, const Machine& machine);

/// "12 of 4096 ranks move, 4 of them since their slots are gone, 2 ranks are new".
std::string moves_text(const Moves& moves, std::uint32_t ranks);

}  // namespace kith::tools
