#include "core/rng.hpp"
#include "graph/generate/check.hpp"
#include "kith/detail/generate.hpp"

namespace kith {
namespace {

class AllToAll final : public Pattern {
 public:
  AllToAll(std::uint32_t ranks, Weight weight) : ranks_(ranks), weight_(weight) {}
  std::uint32_t ranks() const override { return ranks_; }
  void for_each_pair(const Visit& visit) const override {
    if (weight_ == 0) return;
    for (std::uint32_t i = 0; i < ranks_; ++i) {
      for (std::uint32_t j = i + 1; j < ranks_; ++j) visit(Rank{i}, Rank{j}, weight_);
    }
  }

 private:
  std::uint32_t ranks_;
  Weight weight_;
};

}  // namespace

std::unique_ptr<Pattern> make_alltoall(std::uint32_t ranks, Weight weight) {
  check_pattern_ranks(ranks);
  return std::make_unique<AllToAll>(ranks, weight);
}

namespace {

class DenseRandom final : public Pattern {
 public:
  DenseRandom(std::uint32_t ranks, std::uint64_t seed) : ranks_(ranks), seed_(seed) {}
  std::uint32_t ranks() const override { return ranks_; }
  void for_each_pair(const Visit& visit) const override {
    Rng rng(seed_);
    for (std::uint32_t i = 0; i < ranks_; ++i) {
      for (std::uint32_t j = i + 1; j < ranks_; ++j) visit(Rank{i}, Rank{j}, 1 + rng.below(1000));
    }
  }

 private:
  std::uint32_t ranks_;
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Pattern> make_dense_random(std::uint32_t ranks, std::uint64_t seed) {
  check_pattern_ranks(ranks);
  return std::make_unique<DenseRandom>(ranks, seed);
}

}  // namespace kith
