#include "kith-engine/number_list.hpp"

#include <algorithm>
#include <string>

#include "core/parse_number.hpp"
#include "kith/error.hpp"
#include "kith/types.hpp"

namespace kith::tools {

std::vector<std::uint32_t> number_list(const Exchange& request, std::string_view name) {
  std::vector<std::uint32_t> numbers;
  const std::string text = request.text(name);
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const auto number = parse_unsigned(rest.substr(0, end));
    if (!number || *number > max_index_count) throw bad_input(std::string(name), "numbers", text);
    numbers.push_back(static_cast<std::uint32_t>(*number));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return numbers;
}

}  // namespace kith::tools
