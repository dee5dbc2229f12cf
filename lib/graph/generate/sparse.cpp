#include <algorithm>
#include <string>

#include "kith/error.hpp"
#include "kith/generate.hpp"

namespace kith {
namespace {

class Sparse final : public Pattern {
 public:
  Sparse(std::unique_ptr<Pattern> inner, double factor) : inner_(std::move(inner)) {
    Weight heaviest = 0;
    inner_->for_each_pair(
        [&](Rank, Rank, Weight weight) { heaviest = std::max(heaviest, weight); });
    bound_ = static_cast<long double>(heaviest) * static_cast<long double>(factor);
  }
  std::uint32_t ranks() const override { return inner_->ranks(); }
  void for_each_pair(const Visit& visit) const override {
    inner_->for_each_pair([&](Rank a, Rank b, Weight weight) {
      if (static_cast<long double>(weight) > bound_) visit(a, b, weight);
    });
  }

 private:
  std::unique_ptr<Pattern> inner_;
  long double bound_ = 0;
};

}  // namespace

std::unique_ptr<Pattern> make_sparse(std::unique_ptr<Pattern> inner, double factor) {
  if (!(factor >= 0 && factor <= 1)) {
    throw bad_input("sparse factor", "a number from 0 to 1", std::to_string(factor));
  }
  return std::make_unique<Sparse>(std::move(inner), factor);
}

}  // namespace kith
