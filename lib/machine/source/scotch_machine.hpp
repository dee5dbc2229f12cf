// Scotch targets: their numbers and words, and what the readers of all kinds of them share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/line_reader.hpp"
#include "kith/detail/network_machine.hpp"
#include "machine/sources.hpp"

namespace kith {

/// Words one after the other; the ends of lines mean nothing, as for Scotch.
class TargetWords {
 public:
  /// Text given inline: `request.body` itself, which must outlive this.
  static TargetWords of_text(const SpecRequest& request);
  /// The file that `request.body` names. Throws Error (input).
  static TargetWords of_file(const SpecRequest& request);

  /// Empty at the end; valid until the next call.
  std::string_view next();
  /// A whole number from `least` to `most`; `what` says which ("the size of a level"). Throws
  /// error().
  std::uint64_t number(std::string_view what, std::uint64_t least, std::uint64_t most);
  /// Throws error() unless nothing is left.
  void expect_end();
  /// "FILE:LINE: expected ..., found ...", or the option in the place of FILE:LINE.
  Error error(std::string_view expected, std::string_view found) const;

 private:
  explicit TargetWords(const SpecRequest& request) : request_(request), words_("") {}

  const SpecRequest& request_;
  std::unique_ptr<LineReader> file_;  // null: inline
  Words words_;
};

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
