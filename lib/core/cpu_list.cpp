#include "core/cpu_list.hpp"

#include <cstdint>

#include "core/parse_number.hpp"

namespace kith {

std::string cpu_list_text(const CpuSet& cpus, char separator) {
  std::string text;
  for (const CpuSet::Range& range : cpus.ranges()) {
    if (!text.empty()) text += separator;
    text += std::to_string(range.first);
    if (range.last > range.first) text += '-' + std::to_string(range.last);
  }
  return text;
}

CpuSet cpus_of_list(std::string_view list) {
  constexpr std::uint64_t most = 1U << 20U;
  CpuSet cpus;
  std::uint64_t next = 0;
  for (const std::string_view part : split(list, ',')) {
    const std::size_t dash = part.find('-');
    const auto first = parse_unsigned(part.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : parse_unsigned(part.substr(dash + 1));
    if (!first || !last || *first < next || *last < *first || *last > most) return {};
    cpus.add(static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*last));
    next = *last + 1;
  }
  return cpus;
}

}  // namespace kith
