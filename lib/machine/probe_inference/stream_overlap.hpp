// What several streams bring to a host together.
#pragma once

#include <span>
#include <vector>

namespace kith {

/// A stream as its receiver saw it: equal parts, and the second on the host's clock at which each
/// was whole, ascending.
struct StreamArrivals {
  double bytes_a_part = 0;
  std::vector<double> seconds;
};

/// Megabytes a second that the streams bring together from the second when each has its first part
/// until the last one has ended. Streams seldom have equal shares, and one that is left over has
/// the shares of those that have ended: the link is as busy as before. Between two parts bytes come
/// evenly. 0 where the streams were never all under way.
double megabytes_together(std::span<const StreamArrivals> streams);

}  // namespace kith
