#include "record/row.hpp"

#include <algorithm>

namespace kith::record {
namespace {

// Merges two sorted lists; combine(a, b) makes the cell of a peer that both have.
template <class Combine>
std::vector<RowCell> merge(const std::vector<RowCell>& a, const std::vector<RowCell>& b,
                           Combine combine) {
  std::vector<RowCell> out;
  out.reserve(std::max(a.size(), b.size()));
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.size() || k < b.size()) {
    RowCell cell;
    if (k == b.size() || (i < a.size() && a[i].peer < b[k].peer)) {
      cell = combine(a[i], RowCell{a[i].peer, 0, 0});
      ++i;
    } else if (i == a.size() || b[k].peer < a[i].peer) {
      cell = combine(RowCell{b[k].peer, 0, 0}, b[k]);
      ++k;
    } else {
      cell = combine(a[i++], b[k++]);
    }
    if (cell.bytes != 0 || cell.messages != 0) out.push_back(cell);
  }
  return out;
}

RowCell sum(const RowCell& a, const RowCell& b) {
  return {a.peer, a.bytes + b.bytes, a.messages + b.messages};
}

RowCell minus(const RowCell& a, const RowCell& b) {
  return {a.peer, a.bytes - b.bytes, a.messages - b.messages};
}

}  // namespace

Row difference(const Row& later, const Row& earlier) {
  Row out;
  for (const TrafficClass c : traffic_classes) out[c] = merge(later[c], earlier[c], minus);
  return out;
}

void add_to(Row& row, const Row& more) {
  for (const TrafficClass c : traffic_classes) row[c] = merge(row[c], more[c], sum);
}

std::vector<RowCell> total_of(const Row& row) {
  std::vector<RowCell> out;
  for (const TrafficClass c : traffic_classes) out = merge(out, row[c], sum);
  return out;
}

}  // namespace kith::record
