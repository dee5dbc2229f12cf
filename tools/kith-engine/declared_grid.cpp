#include "kith-engine/declared_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "kith-engine/number_list.hpp"
#include "kith/error.hpp"

namespace kith::tools {
TrafficMatrix grid_traffic(const Exchange& request, std::uint32_t ranks) {
  const auto extents = number_list(request, "dims");
  const auto periodic = number_list(request, "periods");
  std::uint64_t places = 1;
  for (const std::uint32_t extent : extents)
    places = std::min<std::uint64_t>(places * extent, ranks + 1ULL);
  if (places > ranks || extents.size() != periodic.size()) {
    throw bad_input("request", fmt::format("a grid of at most {} places", ranks),
                    request.text("dims"));
  }
  TrafficMatrixBuilder builder(ranks, 2 * extents.size() * places);
  for (std::uint32_t place = 0; place < places; ++place) {
    std::uint32_t step = 1;
    for (std::size_t d = extents.size(); d-- > 0; step *= extents[d]) {
      const std::uint32_t at = place / step % extents[d];
      const bool is_last = at + 1 == extents[d];
      if (extents[d] == 1 || (is_last && periodic[d] == 0)) continue;
      const std::uint32_t next = is_last ? place - at * step : place + step;
      builder.add(Rank(place), Rank(next), 1);
      builder.add(Rank(next), Rank(place), 1);
    }
  }
  return builder.build();
}

}  // namespace kith::tools
