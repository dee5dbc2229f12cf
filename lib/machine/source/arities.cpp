#include "machine/source/arities.hpp"

#include "core/parse_number.hpp"
#include "core/split.hpp"
#include "kith/error.hpp"

namespace kith {

std::vector<std::uint32_t> parse_arities(std::string_view text, const std::string& expected,
                                         const SpecRequest& request) {
  std::vector<std::uint32_t> arities;
  for (const std::string_view part : split(text, 'x')) {
    const auto value = parse_unsigned(part);
    if (!value || *value == 0 || *value > max_index_count) {
      throw bad_input(request.option, expected, "\"" + request.spec + "\"");
    }
    arities.push_back(static_cast<std::uint32_t>(*value));
  }
  return arities;
}

NetworkBody split_network_body(const SpecRequest& request) {
  const auto slash = request.body.find('/');
  NetworkBody body{request.body.substr(0, slash), {}};
  if (slash != std::string_view::npos) {
    body.node_arities = parse_arities(request.body.substr(slash + 1),
                                      "behind / the tree in each node, such as 2x8", request);
  }
  return body;
}

}  // namespace kith
