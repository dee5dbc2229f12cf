#include "record/row.hpp"

#include <algorithm>
#include <stdexcept>

namespace kith::record {
namespace {

constexpr std::size_t shortest_cell = 2 + class_count;  // one byte for each number of a cell

}  // namespace

void pack_cells(Packer& packer, const Cells& cells) {
  packer.put_number(cells.size());
  std::uint32_t before = 0;
  for (const RowCell& cell : cells) {
    packer.put_number(cell.peer - before);
    before = cell.peer;
    packer.put_number(cell.messages);
    for (const std::uint64_t bytes : cell.bytes) packer.put_number(bytes);
  }
}

Cells unpack_cells(Unpacker& unpacker) {
  const std::uint64_t count = unpacker.get_number();
  if (count > unpacker.remaining() / shortest_cell) {
    throw std::runtime_error("a row between processes was cut short");
  }
  Cells cells(count);
  std::uint64_t peer = 0;
  for (RowCell& cell : cells) {
    peer += unpacker.get_number();
    cell.peer = static_cast<std::uint32_t>(peer);
    cell.messages = unpacker.get_number();
    for (std::uint64_t& bytes : cell.bytes) bytes = unpacker.get_number();
  }
  return cells;
}

void pack_load(Packer& packer, const Load& load) {
  packer.put_number(load.outside_ns);
  packer.put_number(load.inside_ns);
  packer.put_number(load.instructions);
  packer.put_number(load.wall_ns);
}

Load unpack_load(Unpacker& unpacker) {
  Load load;
  load.outside_ns = unpacker.get_number();
  load.inside_ns = unpacker.get_number();
  load.instructions = unpacker.get_number();
  load.wall_ns = unpacker.get_number();
  return load;
}

void pack_size_histogram(Packer& packer, const SizeHistogram& sizes) {
  for (const SizeHistogram::OfClass& one : sizes.classes) {
    packer.put_number(one.bytes);
    const auto used = size_buckets - static_cast<std::size_t>(std::ranges::count(one.messages, 0U));
    packer.put_number(used);
    for (std::size_t k = 0; k < size_buckets; ++k) {
      if (one.messages[k] == 0) continue;
      packer.put_number(k);
      packer.put_number(one.messages[k]);
    }
  }
  packer.put_number(sizes.foreign_bytes);
  packer.put_number(sizes.foreign_messages);
}

SizeHistogram unpack_size_histogram(Unpacker& unpacker) {
  SizeHistogram sizes;
  for (SizeHistogram::OfClass& one : sizes.classes) {
    one.bytes = unpacker.get_number();
    const std::uint64_t used = unpacker.get_number();
    for (std::uint64_t i = 0; i < used; ++i) {
      const std::uint64_t bucket = unpacker.get_number();
      if (bucket >= size_buckets)
        throw std::runtime_error("a message of no size between processes");
      one.messages[bucket] = unpacker.get_number();
    }
  }
  sizes.foreign_bytes = unpacker.get_number();
  sizes.foreign_messages = unpacker.get_number();
  return sizes;
}

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
