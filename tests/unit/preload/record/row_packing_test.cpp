#include "record/row.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace kith::record {
namespace {

const Cells cells{{0, 1, {10, 0, 0}},
                  {7, 3, {0, 1, 1ULL << 40}},
                  {4'000'000'000, UINT64_MAX, {UINT64_MAX, 0, 127}},
                  {4'294'967'294, 0, {128, 0, 0}}};

std::string packed(const Cells& row) {
  Packer packer;
  pack_cells(packer, row);
  return packer.take();
}

TEST(RowPacking, GivesBackWhatWasPacked) {
  for (const Cells& row : {Cells{}, cells}) {
    const std::string bytes = packed(row);
    Unpacker unpacker(bytes);
    EXPECT_EQ(unpack_cells(unpacker), row);
    EXPECT_TRUE(unpacker.done());
  }
  Packer packer;
  const Load load{1, 2'000'000'000'000, Load::unknown, 3'000'000'000'000};
  pack_load(packer, load);
  SizeHistogram sizes;
  sizes.classes[1].bytes = 300;
  sizes.classes[1].messages[0] = 5;
  sizes.classes[3].messages[64] = 1ULL << 50;
  sizes.foreign_messages = 9;
  pack_size_histogram(packer, sizes);
  const std::string bytes = packer.take();
  Unpacker unpacker(bytes);
  EXPECT_EQ(unpack_load(unpacker), load);
  const SizeHistogram again = unpack_size_histogram(unpacker);
  EXPECT_EQ(again.classes[1].bytes, 300U);
  EXPECT_EQ(again.classes[1].messages, sizes.classes[1].messages);
  EXPECT_EQ(again.classes[3].messages, sizes.classes[3].messages);
  EXPECT_EQ(again.foreign_messages, 9U);
  EXPECT_TRUE(unpacker.done());
}

TEST(RowPacking, ACellOfSmallNumbersTakesFiveBytes) {
  EXPECT_EQ(packed({{1, 1, {1, 0, 0}}, {2, 1, {1, 0, 0}}}).size(), 1U + 2 * 5);
}

TEST(RowPacking, CutBytesAreAnError) {
  const std::string bytes = packed(cells);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Unpacker unpacker(std::string_view(bytes).substr(0, size));
    EXPECT_THROW(unpack_cells(unpacker), std::runtime_error) << size;
  }
  Packer huge;  // no memory for cells that cannot be there
  huge.put_number(UINT64_MAX / 2);
  const std::string text = huge.take();
  Unpacker unpacker(text);
  EXPECT_THROW(unpack_cells(unpacker), std::runtime_error);
}

}  // namespace
}  // namespace kith::record
