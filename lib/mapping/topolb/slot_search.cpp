#include "mapping/topolb/slot_search.hpp"

#include <numeric>

#include "mapping/topolb/distances.hpp"
#include "mapping/topolb/rows.hpp"

namespace kith::topolb {
namespace {

/// Looks at each free slot.
class ScanningSearch final : public SlotSearch {
 public:
  ScanningSearch(const Machine& machine, Objective objective)
      : machine_(machine), objective_(objective), free_(machine.allowed().to_vector()) {}

  Slot cheapest(std::span<const Anchor> anchors) override {
    // Distances fit 64 bits, and nearly always the sum does.
    costs_.assign(free_.size(), 0);
    distances_.resize(free_.size());
    for (const Anchor& anchor : anchors) {
      distances_from(machine_, objective_, anchor.slot, free_.slots(), distances_);
      for (std::size_t c = 0; c < costs_.size(); ++c) {
        costs_[c] += Wide{anchor.weight} * distances_[c];
      }
    }
    return free_.slot(cheapest_of(costs_, free_).slot);
  }

  void take(Slot slot) override {
    free_.take(static_cast<std::uint32_t>(machine_.allowed().index_of(slot)));
  }

 private:
  const Machine& machine_;
  Objective objective_;
  FreeSlots free_;
  std::vector<Wide> costs_;
  std::vector<std::uint64_t> distances_;
};

}  // namespace

std::unique_ptr<SlotSearch> make_slot_search(const Machine& machine, Objective objective) {
  return std::make_unique<ScanningSearch>(machine, objective);
}

}  // namespace kith::topolb
