#include "kith/error.hpp"
#include "mapping/mappers.hpp"

namespace kith {
namespace {

class IdentityMapper final : public Mapper {
 public:
  std::string_view name() const override { return "identity"; }
  std::string_view summary() const override { return "rank i on the i-th allowed slot"; }
  std::string_view source() const override { return "what a launcher does by itself"; }
  Answer map(const MapProblem& problem) const override {
    return {identity_mapping(problem.graph.ranks(), problem.machine, problem.options.capacity),
            "identity"};
  }
};

}  // namespace

const Mapper& identity_mapper() {
  static const IdentityMapper mapper;
  return mapper;
}

Mapping identity_mapping(std::uint32_t ranks, const Machine& machine, std::uint32_t capacity) {
  const std::uint64_t slots = machine.allowed().size();
  if (slots * capacity < ranks) {
    throw bad_input("--topology",
                    "room for " + std::to_string(ranks) +
                        " ranks (--oversubscribe spreads them over the slots)",
                    std::to_string(slots) + " slots" +
                        (capacity > 1 ? " for " + std::to_string(capacity) + " ranks each" : ""));
  }
  Mapping mapping;
  mapping.slot_of.reserve(ranks);
  const std::uint64_t on_each = ranks / slots;
  const std::uint64_t one_more = ranks % slots;
  for (std::uint64_t i = 0; mapping.slot_of.size() < ranks; ++i) {
    const std::uint64_t here = on_each + (i < one_more ? 1 : 0);
    mapping.slot_of.insert(mapping.slot_of.end(), here, machine.allowed().at(i));
  }
  return mapping;
}

}  // namespace kith
