#include "map/from_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "core/parse_number.hpp"
#include "help/option_groups.hpp"
#include "inputs.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "machine/source/spec_numbers.hpp"
#include "output.hpp"

namespace kith::tools {
namespace {

constexpr std::string_view move_cost_option = "--move-cost";

/// Of a mix, whose value is about 1 for identity.
std::uint64_t parse_share(const std::string& text) {
  constexpr double most = 1e6;  // 2^20 x 2^mix_bits is far from overflow
  const auto value = parse_real(text);
  if (!value || !(*value >= 0 && *value <= most)) {
    throw bad_input(move_cost_option, "a number from 0 to 1000000 (a mix is 1 for identity)",
                    fmt::format("'{}'", text));
  }
  return static_cast<std::uint64_t>(std::llround(std::ldexp(*value, mix_bits)));
}

/// In the units of the goal.
std::uint64_t parse_move_cost(const std::string& text, const Machine& machine, const Goal& goal) {
  if (goal.is_mix()) return parse_share(text);
  const bool in_costs = goal.has(Criterion::sum_com) || goal.has(Criterion::max_com);
  const std::uint64_t scale = in_costs ? machine.cost_scale() : 1;
  const ParsedDecimal number = parse_exact_decimal(text, DecimalSyntax::plain);
  if (number.outcome == ParsedDecimal::Outcome::number) {
    CommonScale units;
    Decimal one_unit{1, 0};
    for (std::uint64_t rest = scale; rest > 1; rest /= 10) ++one_unit.fraction;
    if (units.add(one_unit)) {
      if (const auto cost = units.units_of(number.value)) return *cost;
    }
  }
  throw bad_input(move_cost_option,
                  scale == 1
                      ? fmt::format("a whole number from 0 on, as {} is", goal.name())
                      : fmt::format("a number from 0 on in steps of 1/{}, as the costs of {} are",
                                    scale, machine.spec()),
                  fmt::format("'{}'", text));
}

void tell_of_other_machine(const MappingFile& file, const std::string& path,
                           const Machine& machine) {
  if (file.topology && *file.topology != machine.spec()) {
    tell(fmt::format("note: {} was made for {}; its slots are taken as those of {}", path,
                     *file.topology, machine.spec()));
  }
}

}  // namespace

void add_from_options(CLI::App& app, FromWords& words) {
  auto* const from =
      app.add_option("--from", words.mapping,
                     "Where the ranks are now: moves from there count as --move-cost says. Ranks "
                     "whose slots are not allowed any more move, those beyond the file's are new. "
                     "kith and auto start from it; what other algorithms find is turned so that "
                     "most ranks stay, at the same objective")
          ->type_name("MAPPING");
  app.add_option("--move-cost", words.move_cost,
                 "What each rank that moves adds to the objective, in its units (default 0: of "
                 "equally good mappings the one that moves fewest); of a mix, which identity "
                 "has at 1, the share")
      ->type_name("C")
      ->needs(from);
  put_in_group(app, places_group, {"--from", "--move-cost"});
}

void read_from(const FromWords& words, const Machine& machine, std::uint32_t ranks,
               MapOptions& options) {
  if (!words.mapping) return;
  if (words.move_cost) {
    options.move_cost = parse_move_cost(*words.move_cost, machine, goal_of(options));
  }
  MappingFile file = read_mapping(*words.mapping);
  if (file.mapping.ranks() > ranks) {
    throw bad_input_at(*words.mapping, line_of_rank(*words.mapping, ranks),
                       fmt::format("places of the trace's {} ranks only", ranks),
                       fmt::format("one of rank {}", ranks));
  }
  tell_of_other_machine(file, *words.mapping, machine);
  file.mapping.slot_of.resize(ranks, no_slot);
  options.from = std::move(file.mapping);
}

Moves count_moves(const Mapping& from, const Mapping& to, const Machine& machine) {
  Moves moves;
  moves.moved = moved_ranks(from, to);
  for (const Slot place : from.slot_of) {
    if (place == no_slot) {
      ++moves.added;
    } else if (!machine.allowed().contains(place)) {
      ++moves.displaced;
    }
  }
  return moves;
}

std::string moves_text(const Moves& moves, std::uint32_t ranks) {
  std::string text = fmt::format("{} of {} ranks move", moves.moved, ranks);
  if (moves.displaced > 0) {
    text += fmt::format(", {} of them since their slots are gone", moves.displaced);
  }
  if (moves.added > 0) text += fmt::format(", {} ranks are new", moves.added);
  return text;
}

}  // namespace kith::tools
