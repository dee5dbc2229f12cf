#include "machine/model/distance_rows.hpp"

#include <algorithm>
#include <mutex>

namespace kith {

DistanceRows::DistanceRows(std::uint32_t items, std::size_t bytes,
                           std::function<Row(std::uint32_t)> compute)
    : compute_(std::move(compute)) {
  const std::size_t rows =
      std::max<std::size_t>(bytes / (sizeof(std::uint64_t) * std::max(items, 1U)), 1);
  shards_ = static_cast<std::uint32_t>(std::min(rows, shard_.size()));
  most_rows_ = rows / shards_;
  for (std::uint32_t i = 0; i < shards_; ++i) {
    shard_[i].place.assign(items / shards_ + std::size_t{1}, not_kept);
  }
}

DistanceRows::Kept& DistanceRows::place_for_one_more(Shard& shard) const {
  if (shard.kept.size() < most_rows_) return shard.kept.emplace_back();
  Kept& oldest = *std::ranges::min_element(shard.kept, {}, &Kept::last_use);
  shard.place[oldest.number / shards_] = not_kept;
  return oldest;
}

std::uint64_t DistanceRows::at(std::uint32_t row, std::uint32_t column) {
  Shard& shard = shard_[row % shards_];
  const std::lock_guard guard(shard.lock);
  std::uint32_t& place = shard.place[row / shards_];
  if (place == not_kept) {
    Row computed = compute_(row);
    Kept& kept = place_for_one_more(shard);
    kept.number = row;
    kept.row = std::move(computed);
    place = static_cast<std::uint32_t>(&kept - shard.kept.data());
  }
  Kept& kept = shard.kept[place];
  kept.last_use = ++shard.uses;
  return kept.row[column];
}

}  // namespace kith
