#include "api/api_structs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace kith::runtime {
namespace {

// Sizes of the first edition: up to the fields that the second one added.
constexpr std::size_t first_options = offsetof(kith_options, state_bytes);
constexpr std::size_t first_report = offsetof(kith_report, moved_ranks);
// No padding at its end was reused.
static_assert(first_options % alignof(double) == 0 && first_report % alignof(double) == 0);

constexpr double most = 1e60;  // products of such numbers are finite, and no machine holds so much

bool is_finite(double number) {
  return number - number == 0;
}

void copy_text(const std::string& text, char* out, std::size_t room) {
  const std::size_t length = std::min(text.size(), room - 1);
  std::memcpy(out, text.data(), length);
  out[length] = '\0';
}

}  // namespace

std::optional<kith_options> read_options(const kith_options* given) {
  kith_options options = KITH_OPTIONS_INIT;
  if (given == nullptr) return options;
  if (given->size != first_options && given->size != sizeof options) return std::nullopt;
  std::memcpy(&options, given, given->size);
  if (!is_finite(options.min_gain) || !is_finite(options.state_bytes) ||
      !is_finite(options.remaining)) {
    return std::nullopt;
  }
  return options;
}

void apply(const kith_options& options, OrderRequest& request) {
  Settings& settings = request.settings;
  if (options.algorithm != nullptr) settings.algorithm = options.algorithm;
  if (options.min_gain >= 0) settings.min_gain = options.min_gain;
  if (options.keep_rank0 >= 0) settings.keep_rank0 = options.keep_rank0 != 0;
  if (options.topology != nullptr) {
    settings.topology = options.topology;
    request.launcher_ranks.clear();
  }
  request.has_state = true;
  request.state_bytes = std::clamp(options.state_bytes, 0.0, most);
  request.remaining = options.remaining < 0 ? 1 : std::min(options.remaining, most);
}

bool is_report(const kith_report* report) {
  return report != nullptr && (report->size == first_report || report->size == sizeof *report);
}

void fill(const Order& order, kith_report* report) {
  kith_report whole = {};
  whole.size = report->size;
  whole.reordered = order.apply ? 1 : 0;
  whole.cost_before = order.cost_before;
  whole.cost_after = order.cost_after;
  whole.seconds = order.seconds;
  copy_text(order.algorithm, whole.algorithm, sizeof whole.algorithm);
  copy_text(order.reason, whole.reason, sizeof whole.reason);
  whole.moved_ranks = order.moved_ranks;
  whole.moving_cost = order.moving_cost;
  whole.saving = order.saving;
  std::memcpy(report, &whole, report->size);
}

}  // namespace kith::runtime
