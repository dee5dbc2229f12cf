// What the readers of the single kinds of Scotch targets share.
#pragma once

#include <memory>
#include <vector>

#include "kith/network_machine.hpp"
#include "machine/source/target_words.hpp"

namespace kith {

/// A target, and where its terminals are.
struct ScotchMachine {
  std::unique_ptr<Machine> machine;
  /// The slot of each of Scotch's terminals. Empty: terminal i is slot i.
  std::vector<Slot> terminals = {};

  std::uint64_t terminal_count() const {
    return terminals.empty() ? machine->slots() : terminals.size();
  }
  Slot slot_of(std::uint64_t terminal) const {
    return terminals.empty() ? Slot(static_cast<std::uint32_t>(terminal)) : terminals[terminal];
  }
};

/// What is known before the words of a target.
struct ScotchContext {
  const SpecRequest& request;
  unsigned nesting = 0;  ///< targets around this one
};

/// Largest cost of a pair: what the tree: SPEC allows, too.
inline constexpr std::uint64_t max_target_cost = std::uint64_t{1} << 62;

/// Behind the word `deco`: a table of distances between terminals.
ScotchMachine read_scotch_deco(TargetWords& words, const ScotchContext& context);

}  // namespace kith
