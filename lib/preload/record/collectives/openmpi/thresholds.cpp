// At which sizes Open MPI changes algorithm: the compiled-in decisions of its "tuned" component,
// version 4.1.
#include "record/collectives/openmpi/decisions.hpp"

namespace kith::record::openmpi {
namespace {

constexpr std::uint32_t any = Step::any;

// clang-format off
constexpr Step allgather_steps[] = {
    {3, any, 6},
    {32, any, 3},
    {64, 1024, 3}, {64, 65536, 5}, {64, any, 4},
    {128, 512, 3}, {128, 65536, 5}, {128, any, 4},
    {256, 512, 3}, {256, 131072, 5}, {256, 524288, 4}, {256, 1048576, 5}, {256, any, 4},
    {512, 32, 3}, {512, 128, 2}, {512, 1024, 3}, {512, 131072, 5}, {512, 524288, 4},
    {512, 1048576, 5}, {512, any, 4},
    {1024, 64, 3}, {1024, 256, 2}, {1024, 2048, 3}, {1024, any, 5},
    {2048, 4, 3}, {2048, 8, 2}, {2048, 16, 3}, {2048, 32, 2}, {2048, 256, 3}, {2048, 512, 2},
    {2048, 4096, 3}, {2048, any, 5},
    {4096, 32, 2}, {4096, 128, 3}, {4096, 512, 2}, {4096, 4096, 3}, {4096, any, 5},
    {any, 2, 3}, {any, 8, 2}, {any, 16, 3}, {any, 512, 2}, {any, 4096, 3}, {any, any, 5},
};

constexpr Step allgatherv_steps[] = {
    {3, 2048, 3}, {3, 4096, 5}, {3, 8192, 3}, {3, any, 5},
    {8, 256, 1}, {8, 4096, 4}, {8, 8192, 3}, {8, 16384, 4}, {8, 262144, 2}, {8, any, 4},
    {16, 1024, 1}, {16, any, 2},
    {32, 128, 1}, {32, 262144, 2}, {32, any, 3},
    {64, 256, 1}, {64, 8192, 2}, {64, any, 3},
    {128, 256, 1}, {128, 4096, 2}, {128, any, 3},
    {256, 1024, 2}, {256, 65536, 4}, {256, any, 3},
    {512, 1024, 2}, {512, any, 3},
    {1024, 512, 2}, {1024, 1024, 1}, {1024, 4096, 2}, {1024, 1048576, 4}, {1024, any, 3},
    {any, 4096, 2}, {any, any, 4},
};

constexpr Step allreduce_steps[] = {
    {4, 8, 4}, {4, 4096, 3}, {4, 8192, 4}, {4, 16384, 3}, {4, 65536, 4}, {4, 262144, 5},
    {4, any, 6},
    {8, 16, 4}, {8, 8192, 3}, {8, any, 6},
    {16, 8192, 3}, {16, any, 6},
    {32, 64, 5}, {32, 4096, 3}, {32, any, 6},
    {64, 128, 5}, {64, any, 6},
    {128, 262144, 3}, {128, any, 6},
    {256, 131072, 2}, {256, 262144, 3}, {256, any, 6},
    {512, 4096, 2}, {512, any, 6},
    {2048, 2048, 2}, {2048, 16384, 3}, {2048, any, 6},
    {4096, 2048, 2}, {4096, 4096, 5}, {4096, 16384, 3}, {4096, any, 6},
    {any, 2048, 2}, {any, 16384, 5}, {any, 32768, 3}, {any, any, 6},
};

constexpr Step allreduce_in_order_steps[] = {
    {4, 131072, 3}, {4, any, 1},
    {8, any, 3},
    {16, 1048576, 3}, {16, any, 2},
    {128, any, 3},
    {256, 131072, 2}, {256, 524288, 3}, {256, any, 2},
    {512, 4096, 2}, {512, 524288, 3}, {512, any, 2},
    {any, 2048, 2}, {any, any, 3},
};

constexpr Step alltoall_steps[] = {
    {3, 2, 2}, {3, 4, 5}, {3, 16, 2}, {3, 64, 5}, {3, 256, 2}, {3, 4096, 5}, {3, 32768, 2},
    {3, 262144, 4}, {3, 1048576, 5}, {3, any, 2},
    {8, 8192, 4}, {8, 16384, 1}, {8, 65536, 4}, {8, 524288, 1}, {8, 1048576, 2}, {8, any, 1},
    {16, 262144, 4}, {16, any, 1},
    {32, 4, 4}, {32, 512, 3}, {32, 8192, 4}, {32, 32768, 1}, {32, 262144, 4}, {32, 524288, 1},
    {32, any, 4},
    {64, 512, 3}, {64, 524288, 1}, {64, any, 4},
    {128, 1024, 3}, {128, 2048, 1}, {128, 4096, 4}, {128, 262144, 1}, {128, any, 2},
    {256, 1024, 3}, {256, 2048, 4}, {256, 262144, 1}, {256, any, 2},
    {512, 1024, 3}, {512, 8192, 4}, {512, 32768, 1}, {512, any, 2},
    {1024, 512, 3}, {1024, 8192, 4}, {1024, 16384, 1}, {1024, 131072, 4}, {1024, 262144, 1},
    {1024, any, 2},
    {2048, 512, 3}, {2048, 1024, 4}, {2048, 2048, 1}, {2048, 16384, 4}, {2048, 262144, 1},
    {2048, any, 4},
    {4096, 1024, 3}, {4096, 4096, 4}, {4096, 8192, 1}, {4096, 131072, 4}, {4096, any, 1},
    {any, 2048, 3}, {any, 8192, 4}, {any, 16384, 1}, {any, 32768, 4}, {any, 65536, 1},
    {any, any, 4},
};

constexpr Step alltoallv_steps[] = {
    {4, any, 2},
    {64, any, 1},
    {128, any, 2},
    {256, any, 1},
    {1024, any, 2},
    {any, any, 1},
};

constexpr Step barrier_steps[] = {
    {4, any, 3},
    {8, any, 1},
    {64, any, 3},
    {256, any, 4},
    {512, any, 6},
    {1024, any, 4},
    {4096, any, 6},
    {any, any, 4},
};

constexpr Step bcast_steps[] = {
    {4, 32, 3}, {4, 256, 5}, {4, 512, 3}, {4, 1024, 7}, {4, 32768, 1}, {4, 131072, 5},
    {4, 262144, 2}, {4, 524288, 1}, {4, 1048576, 6}, {4, any, 5},
    {8, 64, 5}, {8, 128, 6}, {8, 2048, 5}, {8, 8192, 6}, {8, 1048576, 1}, {8, any, 2},
    {16, 8, 7}, {16, 64, 5}, {16, 4096, 7}, {16, 16384, 5}, {16, 32768, 6}, {16, any, 1},
    {32, 4096, 7}, {32, 1048576, 6}, {32, any, 8},
    {64, 2048, 6}, {64, any, 7},
    {128, any, 7},
    {256, 2, 6}, {256, 16384, 5}, {256, 32768, 1}, {256, 65536, 5}, {256, any, 7},
    {1024, 16384, 7}, {1024, 32768, 4}, {1024, any, 7},
    {2048, 524288, 7}, {2048, any, 8},
    {4096, 262144, 7}, {4096, any, 8},
    {any, 8192, 7}, {any, 16384, 5}, {any, 262144, 7}, {any, any, 8},
};

constexpr Step gather_steps[] = {
    {4, 2, 3}, {4, 4, 1}, {4, 32768, 2}, {4, 65536, 1}, {4, 131072, 2}, {4, any, 3},
    {8, 1024, 2}, {8, 8192, 1}, {8, 32768, 2}, {8, 262144, 1}, {8, any, 3},
    {256, any, 2},
    {512, 2048, 2}, {512, 8192, 1}, {512, any, 2},
    {any, any, 2},
};

constexpr Step reduce_steps[] = {
    {4, 8, 7}, {4, 16, 4}, {4, 32, 3}, {4, 262144, 1}, {4, 524288, 3}, {4, 1048576, 2},
    {4, any, 3},
    {8, 4096, 4}, {8, 65536, 2}, {8, 262144, 5}, {8, 524288, 1}, {8, 1048576, 5}, {8, any, 1},
    {16, 8192, 4}, {16, any, 5},
    {32, 4096, 4}, {32, any, 5},
    {256, any, 5},
    {512, 8192, 5}, {512, 16384, 6}, {512, any, 5},
    {2048, any, 5},
    {4096, 512, 5}, {4096, 1024, 6}, {4096, 8192, 5}, {4096, 16384, 6}, {4096, any, 5},
    {any, 16, 5}, {any, 32, 6}, {any, 1024, 5}, {any, 2048, 6}, {any, 8192, 5}, {any, 16384, 6},
    {any, any, 5},
};

constexpr Step reduce_in_order_steps[] = {
    {4, 8, 6}, {4, any, 1},
    {8, any, 1},
    {16, 1024, 6}, {16, 8192, 1}, {16, 16384, 6}, {16, 262144, 1}, {16, any, 6},
    {128, any, 6},
    {256, 512, 6}, {256, 1024, 1}, {256, any, 6},
    {any, any, 6},
};

constexpr Step reduce_scatter_steps[] = {
    {4, 65536, 3}, {4, 131072, 4}, {4, any, 3},
    {8, 8, 1}, {8, 262144, 2}, {8, any, 3},
    {32, 262144, 2}, {32, any, 3},
    {64, 64, 1}, {64, 2048, 2}, {64, 524288, 4}, {64, any, 3},
    {128, 256, 1}, {128, 512, 2}, {128, 2048, 4}, {128, 4096, 2}, {128, any, 4},
    {256, 256, 1}, {256, 512, 2}, {256, any, 4},
    {512, 256, 1}, {512, 1024, 2}, {512, any, 4},
    {1024, 512, 1}, {1024, 2048, 2}, {1024, 8192, 4}, {1024, 16384, 2}, {1024, any, 4},
    {2048, 512, 1}, {2048, 4096, 2}, {2048, 16384, 4}, {2048, 32768, 2}, {2048, any, 4},
    {4096, 512, 1}, {4096, 4096, 2}, {4096, any, 4},
    {any, 1024, 1}, {any, 8192, 2}, {any, any, 4},
};

constexpr Step reduce_scatter_in_order_steps[] = {
    {any, any, 1},
};

constexpr Step reduce_scatter_block_steps[] = {
    {4, 4, 2}, {4, 8, 4}, {4, 16, 3}, {4, 128, 4}, {4, 256, 3}, {4, 4096, 4}, {4, 8192, 3},
    {4, 131072, 4}, {4, any, 1},
    {8, 8, 3}, {8, 32, 2}, {8, 256, 4}, {8, 8192, 3}, {8, 16384, 4}, {8, 1048576, 3}, {8, any, 1},
    {16, 4, 1}, {16, 32, 3}, {16, 128, 4}, {16, 524288, 3}, {16, 4194304, 1}, {16, any, 4},
    {32, 32, 1}, {32, 524288, 3}, {32, 2097152, 1}, {32, 4194304, 3}, {32, any, 4},
    {any, 4, 3}, {any, 16, 1}, {any, 65536, 4}, {any, 262144, 1}, {any, any, 4},
};

constexpr Step reduce_scatter_block_in_order_steps[] = {
    {any, any, 1},
};

constexpr Step scatter_steps[] = {
    {4, 2, 3}, {4, 131072, 1}, {4, 262144, 3}, {4, any, 1},
    {8, 2048, 2}, {8, 4096, 1}, {8, 8192, 2}, {8, 32768, 1}, {8, 1048576, 3}, {8, any, 1},
    {16, 16384, 2}, {16, 1048576, 3}, {16, any, 1},
    {32, 16384, 2}, {32, 32768, 1}, {32, any, 3},
    {64, 512, 2}, {64, 8192, 3}, {64, 16384, 2}, {64, any, 3},
    {any, 512, 2}, {any, any, 3},
};

// clang-format on

/// The tables of one collective.
struct Tables {
  std::span<const Step> usual;
  std::span<const Step> in_order;  ///< of operations that do not commute; empty: the usual ones
};

constexpr std::array<Tables, collective_count> version_4_1{{
    {allgather_steps, {}},
    {allgatherv_steps, {}},
    {allreduce_steps, allreduce_in_order_steps},
    {alltoall_steps, {}},
    {alltoallv_steps, {}},
    {},  // alltoallw
    {barrier_steps, {}},
    {bcast_steps, {}},
    {},  // exscan
    {gather_steps, {}},
    {},  // gatherv
    {reduce_steps, reduce_in_order_steps},
    {reduce_scatter_steps, reduce_scatter_in_order_steps},
    {reduce_scatter_block_steps, reduce_scatter_block_in_order_steps},
    {},  // scan
    {scatter_steps, {}},
    {},  // scatterv
}};

}  // namespace

int decided(std::span<const Step> steps, int ranks, std::uint64_t bytes) {
  for (const Step& step : steps) {
    const bool few =
        step.ranks_below == any || static_cast<std::uint32_t>(ranks) < step.ranks_below;
    const bool small = step.bytes_below == any || bytes < step.bytes_below;
    if (few && small) return step.algorithm;
  }
  return 0;
}

int fixed_algorithm(Collective collective, int ranks, std::uint64_t bytes, bool commutes) {
  const Tables& tables = version_4_1[static_cast<std::size_t>(collective)];
  const bool is_in_order = !commutes && !tables.in_order.empty();
  return decided(is_in_order ? tables.in_order : tables.usual, ranks, bytes);
}

}  // namespace kith::record::openmpi
