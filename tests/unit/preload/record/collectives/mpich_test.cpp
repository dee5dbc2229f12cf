// MPICH's thresholds, on both sides. Message counts follow from the published algorithms.
#include "record/collectives/models.hpp"
#include "unit/preload/record/collectives/all_ranks.hpp"

namespace kith::record {
namespace {

const Mpich mpich(Mpich::Calls::blocking);
const Mpich nonblocking(Mpich::Calls::nonblocking);

TEST(Mpich, LongMessagesAreScatteredFirst) {
  const auto messages = [](std::int64_t bytes) {
    return all_messages(8, mpich, Collective::bcast, {.root = 3, .payload = {bytes, 1}}).size();
  };
  EXPECT_EQ(messages(12287), 7U);         // a tree
  EXPECT_EQ(messages(12288), 7U + 24U);   // scatter and recursive doubling
  EXPECT_EQ(messages(524288), 7U + 56U);  // scatter and ring
}

TEST(Mpich, LongReductionsAreHalved) {
  const auto bytes = [](std::int64_t count, bool commutes) {
    return total(all_messages(8, nonblocking, Collective::allreduce,
                              {.payload = {count, 4}, .commutes = commutes}));
  };
  EXPECT_EQ(bytes(512, true), 24U * 2048U);  // recursive doubling
  EXPECT_EQ(bytes(520, true), 14U * 2080U);  // each byte in and out once
  EXPECT_EQ(bytes(520, false), 24U * 2080U);
}

TEST(Mpich, AllgatherAndAlltoallChangeWithTheirTotals) {
  const auto gathered = [](int size, std::int64_t block) {
    return all_messages(size, mpich, Collective::allgather, {.blocks = Blocks(block, 1)}).size();
  };
  EXPECT_EQ(gathered(8, 65535), 24U);  // recursive doubling
  EXPECT_EQ(gathered(8, 65536), 56U);  // ring
  EXPECT_EQ(gathered(5, 16383), 15U);  // Bruck
  EXPECT_EQ(gathered(5, 16384), 20U);
  const auto exchanged = [](int size, std::int64_t block) {
    return all_messages(size, mpich, Collective::alltoall, {.payload = {block, 1}}).size();
  };
  EXPECT_EQ(exchanged(8, 256), 24U);
  EXPECT_EQ(exchanged(8, 257), 56U);
  EXPECT_EQ(exchanged(7, 1), 42U);
}

}  // namespace
}  // namespace kith::record
