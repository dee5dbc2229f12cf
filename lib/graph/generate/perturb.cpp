#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/rng.hpp"
#include "kith/detail/generate.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

class Permuted final : public Pattern {
 public:
  Permuted(std::unique_ptr<Pattern> inner, std::uint64_t seed)
      : inner_(std::move(inner)), new_label_(random_permutation(inner_->ranks(), seed)) {}
  std::uint32_t ranks() const override { return inner_->ranks(); }
  void for_each_pair(const Visit& visit) const override {
    inner_->for_each_pair([&](Rank a, Rank b, Weight weight) {
      visit(Rank{new_label_[a.value]}, Rank{new_label_[b.value]}, weight);
    });
  }

 private:
  std::unique_ptr<Pattern> inner_;
  std::vector<std::uint32_t> new_label_;
};

}  // namespace

std::unique_ptr<Pattern> make_permuted(std::unique_ptr<Pattern> inner, std::uint64_t seed) {
  return std::make_unique<Permuted>(std::move(inner), seed);
}

namespace {

/// Numbers from one of the models' distributions.
class NoiseSource {
 public:
  NoiseSource(NoiseModel model, double level, std::uint64_t seed)
      : is_normal_(model == NoiseModel::gaussian_additive ||
                   model == NoiseModel::gaussian_multiplicative),
        level_(level),
        random_(seed) {}

  double next() { return level_ * (is_normal_ ? normal() : 2 * random_.uniform() - 1); }

 private:
  /// Box and Muller's, one of the two.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - random_.uniform()));
    return radius * std::cos(2 * std::numbers::pi * random_.uniform());
  }

  bool is_normal_;
  double level_;
  Rng random_;
};

/// A weight and what is added to it, rounded, at least 0 and at most 2^63.
Weight sum_of(Weight weight, double noise) {
  constexpr auto largest = static_cast<double>(Weight{1} << 62);
  if (noise <= -static_cast<double>(weight)) return 0;
  if (noise >= 0) {
    const Weight most = (Weight{1} << 63) - std::min(weight, Weight{1} << 63);
    const auto added = static_cast<Weight>(std::llround(std::min(noise, largest)));
    return weight + std::min(added, most);
  }
  const auto lost = static_cast<Weight>(std::llround(-noise));
  return lost < weight ? weight - lost : 0;
}

/// Only pairs that communicate change.
class MultipliedNoise final : public Pattern {
 public:
  MultipliedNoise(std::unique_ptr<Pattern> inner, NoiseModel model, double level,
                  std::uint64_t seed)
      : inner_(std::move(inner)), model_(model), level_(level), seed_(seed) {}
  std::uint32_t ranks() const override { return inner_->ranks(); }
  void for_each_pair(const Visit& visit) const override {
    NoiseSource source(model_, level_, seed_);
    inner_->for_each_pair([&](Rank a, Rank b, Weight weight) {
      const Weight noisy = sum_of(weight, static_cast<double>(weight) * source.next());
      if (noisy > 0) visit(a, b, noisy);
    });
  }

 private:
  std::unique_ptr<Pattern> inner_;
  NoiseModel model_;
  double level_;
  std::uint64_t seed_;
};

/// All pairs change, those without communication too.
class AddedNoise final : public Pattern {
 public:
  AddedNoise(const Pattern& inner, NoiseModel model, double level, std::uint64_t seed)
      : matrix_(to_matrix(inner)), model_(model), level_(level), seed_(seed) {}
  std::uint32_t ranks() const override { return matrix_.ranks(); }
  void for_each_pair(const Visit& visit) const override {
    NoiseSource source(model_, level_, seed_);
    for (std::uint32_t a = 0; a < ranks(); ++a) {
      const auto partners = matrix_.destinations(Rank(a));
      const auto weights = matrix_.weights(Rank(a));
      std::size_t next = 0;
      while (next < partners.size() && partners[next].value <= a) ++next;
      for (std::uint32_t b = a + 1; b < ranks(); ++b) {
        const bool talk = next < partners.size() && partners[next].value == b;
        const Weight noisy = sum_of(talk ? weights[next] : 0, source.next());
        if (talk) ++next;
        if (noisy > 0) visit(Rank(a), Rank(b), noisy);
      }
    }
  }

 private:
  TrafficMatrix matrix_;
  NoiseModel model_;
  double level_;
  std::uint64_t seed_;
};

/// Additive noise draws for each pair of ranks.
void require_few_pairs(std::uint64_t ranks) {
  constexpr std::uint64_t most = 1'000'000'000;
  const std::uint64_t pairs = ranks == 0 ? 0 : ranks * (ranks - 1) / 2;
  if (pairs <= most) return;
  throw bad_input("additive noise", "at most " + std::to_string(most) + " pairs of ranks",
                  std::to_string(pairs) + " pairs of " + std::to_string(ranks) + " ranks");
}

}  // namespace

std::unique_ptr<Pattern> make_noisy(std::unique_ptr<Pattern> inner, NoiseModel model, double level,
                                    std::uint64_t seed) {
  if (!(level >= 0) || !std::isfinite(level)) {
    throw bad_input("level of the noise", "a number from 0 on", std::to_string(level));
  }
  if (model == NoiseModel::gaussian_additive || model == NoiseModel::uniform_additive) {
    require_few_pairs(inner->ranks());
    return std::make_unique<AddedNoise>(*inner, model, level, seed);
  }
  return std::make_unique<MultipliedNoise>(std::move(inner), model, level, seed);
}

TrafficMatrix to_matrix(const Pattern& pattern) {
  std::uint64_t pairs = 0;
  pattern.for_each_pair([&](Rank, Rank, Weight) { ++pairs; });
  TrafficMatrixBuilder builder(pattern.ranks(), 2 * pairs);
  pattern.for_each_pair([&](Rank a, Rank b, Weight weight) {
    builder.add(a, b, weight);
    builder.add(b, a, weight);
  });
  return builder.build();
}

}  // namespace kith
