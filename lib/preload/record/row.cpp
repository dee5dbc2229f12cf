#include "record/row.hpp"

#include <algorithm>

namespace kith::record {
namespace {

// Merges two sorted lists; combine(a, b) makes the cell of a peer that either has.
template <class Combine>
Cells merge(const Cells& a, const Cells& b, Combine combine) {
  Cells out;
  out.reserve(std::max(a.size(), b.size()));
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.size() || k < b.size()) {
    RowCell cell;
    if (k == b.size() || (i < a.size() && a[i].peer < b[k].peer)) {
      cell = combine(a[i], RowCell{a[i].peer, 0, {}});
      ++i;
    } else if (i == a.size() || b[k].peer < a[i].peer) {
      cell = combine(RowCell{b[k].peer, 0, {}}, b[k]);
      ++k;
    } else {
      cell = combine(a[i++], b[k++]);
    }
    if (cell.total_bytes() != 0 || cell.messages != 0) out.push_back(cell);
  }
  return out;
}

RowCell sum(RowCell a, const RowCell& b) {
  a.messages += b.messages;
  for (const TrafficClass c : traffic_classes) a[c] += b[c];
  return a;
}

RowCell minus(RowCell a, const RowCell& b) {
  a.messages -= b.messages;
  for (const TrafficClass c : traffic_classes) a[c] -= b[c];
  return a;
}

}  // namespace

Row difference(const Row& later, const Row& earlier) {
  return {merge(later.sent, earlier.sent, minus), merge(later.fetched, earlier.fetched, minus)};
}

void add_to(Row& row, const Row& more) {
  add_to(row.sent, more.sent);
  add_to(row.fetched, more.fetched);
}

void add_to(Cells& cells, const Cells& more) {
  if (more.empty()) return;
  cells = merge(cells, more, sum);
}

}  // namespace kith::record
