#include "map/from_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "inputs.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "machine/source/decimals.hpp"
#include "output.hpp"

namespace kith::tools {
namespace {

/// In the units of the objective.
std::uint64_t parse_move_cost(const std::string& text, const Machine& machine,
                              Objective objective) {
  const std::uint64_t scale = objective == Objective::hop_bytes ? 1 : machine.cost_scale();
  const ParsedDecimal number = parse_exact_decimal(text, DecimalSyntax::plain);
  if (number.outcome == ParsedDecimal::Outcome::number) {
    CommonScale units;
    Decimal one_unit{1, 0};
    for (std::uint64_t rest = scale; rest > 1; rest /= 10) ++one_unit.fraction;
    if (units.add(one_unit)) {
      if (const auto cost = units.units_of(number.value)) return *cost;
    }
  }
  throw bad_input("--move-cost",
                  scale == 1
                      ? fmt::format("a whole number from 0 on, as {} is", to_string(objective))
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
                 "What each rank that moves adds to the objective (default 0: of equally good "
                 "mappings the one that moves fewest)")
      ->type_name("C")
      ->needs(from);
}

void read_from(const FromWords& words, const Machine& machine, std::uint32_t ranks,
               MapOptions& options) {
  if (!words.mapping) return;
  if (words.move_cost) {
    options.move_cost = parse_move_cost(*words.move_cost, machine, options.objective);
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
