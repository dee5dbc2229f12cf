#include <algorithm>

#include "kith/error.hpp"
#include "kith/mapping.hpp"

namespace kith {

void check_mapping(const Mapping& mapping, const Machine& machine, std::uint32_t capacity) {
  for (Rank r(0); r.value < mapping.ranks(); ++r) {
    if (!machine.allowed().contains(mapping[r])) {
      throw Error(ErrorKind::internal, "mapping: rank " + std::to_string(r.value) +
                                           " is on no allowed slot (" +
                                           std::to_string(mapping[r].value) + ")");
    }
  }
  std::vector<Slot> sorted = mapping.slot_of;
  std::ranges::sort(sorted);
  for (std::size_t i = capacity; i < sorted.size(); ++i) {
    if (sorted[i] == sorted[i - capacity]) {
      throw Error(ErrorKind::internal, "mapping: more than " + std::to_string(capacity) +
                                           " ranks on slot " + std::to_string(sorted[i].value));
    }
  }
}

}  // namespace kith
