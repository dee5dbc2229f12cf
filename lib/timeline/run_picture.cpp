#include "timeline/run_picture.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kith::timeline {

/// Paints one stream into a row.
class RunPainter::Brush {
 public:
  Brush(const RunPicture& picture, double origin, float* row, double weight,
        std::vector<PhaseBand>* bands)
      : picture_(picture),
        origin_(origin),
        row_(row),
        weight_(weight),
        bin_(picture.seconds / picture.bins),
        bands_(bands) {}

  bool step(const FittedStep& step) {
    ShadeSeconds seconds{};
    seconds[static_cast<std::size_t>(Shade::computing)] = step.computing;
    paint(step.begin - step.gap, step.gap, seconds);
    seconds = {};
    seconds[static_cast<std::size_t>(shade_of(step.event->op))] = step.inside;
    paint(step.begin, step.inside, seconds);
    if (step.event->op == Op::phase && bands_ != nullptr)
      end_band(*step.event, step.begin - origin_);
    return true;
  }
  std::uint64_t passes(double, const FittedPace& pace, std::uint64_t left) const {
    return pace.span < bin_ / 4 ? left : 0;
  }
  void whole(double now, const FittedPace& pace, std::uint64_t passes) {
    const auto times = static_cast<double>(passes);
    ShadeSeconds seconds = pace.seconds;
    for (double& part : seconds) part *= times;
    paint(now, times * pace.span, seconds);
  }
  bool loop(std::uint32_t, std::uint64_t, std::uint64_t, double) const { return true; }

  bool is_cut() const { return is_cut_; }

 private:
  void paint(double begin, double span, const ShadeSeconds& seconds);
  void end_band(const Event& phase, double now);

  const RunPicture& picture_;
  double origin_;
  float* row_;
  double weight_;
  double bin_;
  std::vector<PhaseBand>* bands_;
  bool is_cut_ = false;
};

/// Spreads `seconds` evenly from `begin` on.
void RunPainter::Brush::paint(double begin, double span, const ShadeSeconds& seconds) {
  if (!(span > 0)) return;
  begin -= origin_;
  const double end = std::min(begin + span, picture_.seconds);
  const double last = picture_.bins - 1;
  auto bin = static_cast<std::uint32_t>(std::clamp(std::floor(begin / bin_), 0.0, last));
  for (; bin < picture_.bins && bin * bin_ < end; ++bin) {
    const double part = (std::min(end, (bin + 1) * bin_) - std::max(begin, bin * bin_)) / span;
    if (!(part > 0)) continue;
    for (std::size_t i = 0; i < shade_count; ++i) {
      row_[std::size_t{bin} * shade_count + i] += static_cast<float>(weight_ * part * seconds[i]);
    }
  }
}

void RunPainter::Brush::end_band(const Event& phase, double now) {
  const double begin = bands_->empty() ? 0 : bands_->back().end;
  if (!bands_->empty() && bands_->back().number == phase.tag) {
    bands_->back().end = now;
  } else if (bands_->size() < most_bands) {
    bands_->push_back({phase.tag, begin, now});
  } else {
    is_cut_ = true;
  }
}

RunPainter::RunPainter(std::uint32_t world_size, double begin, double seconds) : begin_(begin) {
  picture_.seconds = seconds > 0 ? seconds : 1e-9;
  while ((world_size + picture_.block - 1) / picture_.block > most_rows) picture_.block *= 2;
  picture_.rows = std::max(1U, (world_size + picture_.block - 1) / picture_.block);
  picture_.bins = std::min(most_bins, most_cells / picture_.rows);
  seconds_.resize(std::size_t{picture_.rows} * picture_.bins * shade_count);
  ranks_.resize(picture_.rows);
}

void RunPainter::add(const RankTimeline& timeline) {
  const std::uint32_t row = timeline.rank / picture_.block;
  ++ranks_[row];
  float* const cells = seconds_.data() + std::size_t{row} * picture_.bins * shade_count;
  for (const ThreadStream& stream : timeline.threads) {
    std::vector<PhaseBand> bands;
    const double weight = 1 / static_cast<double>(timeline.threads.size());
    Brush brush(picture_, begin_, cells, weight, has_bands_ ? nullptr : &bands);
    FittedWalk(timeline, stream).go(brush);
    if (bands.empty()) continue;
    has_bands_ = true;
    picture_.phases = std::move(bands);
    picture_.is_phases_cut = brush.is_cut();
  }
}

RunPicture RunPainter::take() {
  const double bin = picture_.seconds / picture_.bins;
  picture_.shares.resize(std::size_t{picture_.rows} * picture_.bins);
  for (std::size_t cell = 0; cell < picture_.shares.size(); ++cell) {
    const double whole = bin * std::max(1U, ranks_[cell / picture_.bins]);
    double sum = 0;
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < shade_count; ++i) {
      // Rounded along the sum: the parts of a full bin are 255 together.
      sum += seconds_[cell * shade_count + i];
      const auto rounded =
          static_cast<std::uint32_t>(std::lround(255 * std::min(1.0, sum / whole)));
      picture_.shares[cell] |= (rounded - before) << 8 * i;
      before = rounded;
    }
  }
  seconds_.clear();
  return std::move(picture_);
}

}  // namespace kith::timeline
