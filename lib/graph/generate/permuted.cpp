#include <utility>

#include "core/rng.hpp"
#include "kith/generate.hpp"

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

}  // namespace kith
