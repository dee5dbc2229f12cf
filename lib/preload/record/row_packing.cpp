#include "record/row_packing.hpp"

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
}

Load unpack_load(Unpacker& unpacker) {
  Load load;
  load.outside_ns = unpacker.get_number();
  load.inside_ns = unpacker.get_number();
  load.instructions = unpacker.get_number();
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

}  // namespace kith::record
