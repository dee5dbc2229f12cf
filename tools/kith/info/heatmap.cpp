#include "info/trace_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output.hpp"

namespace kith::tools {
namespace {

constexpr std::uint32_t most_lines = 32;

/// At least `least`: a little more where that divides the ranks, as planes and nodes then stay
/// whole.
std::uint32_t tile_size(std::uint32_t ranks, std::uint32_t least) {
  for (std::uint32_t size = least; size <= 2 * least; ++size) {
    if (ranks % size == 0) return size;
  }
  return least;
}

/// What the shades are made of, from the lightest to the darkest; a tile without traffic is blank.
struct Palette {
  std::vector<std::string_view> marks;  ///< one column each; empty: colours
  std::vector<int> colors;              ///< of the 256

  std::size_t shades() const { return marks.empty() ? colors.size() : marks.size(); }
};

Palette palette_of(const Terminal& terminal) {
  if (terminal.has_colors) return {{}, {17, 54, 90, 126, 161, 203, 215, 228}};
  if (terminal.has_unicode) return {{"░", "▒", "▓", "█"}, {}};
  return {{".", ":", "+", "#", "@"}, {}};
}

/// Shades by the logarithm between the smallest and the largest tile.
class Scale {
 public:
  Scale(const TileSums& sums, std::size_t shades) : shades_(shades) {
    for (const Weight bytes : sums.bytes) {
      if (bytes == 0) continue;
      least_ = least_ == 0 ? bytes : std::min(least_, bytes);
      most_ = std::max(most_, bytes);
    }
  }

  Weight least() const { return least_; }
  Weight most() const { return most_; }

  /// 0: nothing; 1 .. shades.
  std::size_t shade(Weight bytes) const {
    if (bytes == 0) return 0;
    if (least_ == most_) return shades_;
    const double place = std::log(ratio(bytes)) / std::log(ratio(most_));
    constexpr double rounding = 1e-9;  // what a shade begins with belongs to it
    const auto step = static_cast<std::size_t>(place * static_cast<double>(shades_) + rounding);
    return 1 + std::min(step, shades_ - 1);
  }

  /// What the shade begins with.
  double from(std::size_t shade) const {
    const double share = static_cast<double>(shade - 1) / static_cast<double>(shades_);
    return static_cast<double>(least_) * std::pow(ratio(most_), share);
  }

 private:
  double ratio(Weight bytes) const {
    return static_cast<double>(bytes) / static_cast<double>(least_);
  }

  std::size_t shades_;
  Weight least_ = 0;
  Weight most_ = 0;
};

class Picture {
 public:
  Picture(const TrafficMatrix& matrix, const Terminal& terminal)
      : palette_(palette_of(terminal)),
        columns_(terminal.columns),
        margin_(std::to_string(std::max(matrix.ranks(), 1U) - 1).size() + 2),
        // Two tiles in a character, one above the other, or two characters for a tile: squares.
        halves_(terminal.has_colors && terminal.has_unicode && matrix.ranks() > most_lines),
        sums_(tile_sums(matrix, most_tiles(terminal))),
        scale_(sums_, palette_.shades()) {}

  std::string text() const {
    if (scale_.most() == 0) return "";
    std::string text = title() + column_labels();
    for (std::uint32_t row = 0; row < sums_.tiles; row += halves_ ? 2 : 1) text += line(row);
    return text + legend();
  }

 private:
  std::uint32_t most_tiles(const Terminal& terminal) const {
    const std::size_t room = std::max<std::size_t>(terminal.columns, margin_ + 8) - margin_;
    return static_cast<std::uint32_t>(halves_ ? std::min<std::size_t>(room, 2 * most_lines)
                                              : std::min<std::size_t>(room / 2, most_lines));
  }

  std::size_t width_of_tile() const { return halves_ ? 1 : 2; }

  std::string title() const {
    const std::string tile = sums_.ranks_of_tile == 1
                                 ? std::string("a tile per pair")
                                 : fmt::format("{0} x {0} ranks a tile", sums_.ranks_of_tile);
    return wrapped("bytes from ranks (down) to ranks (across), " + tile, columns_, 0) + '\n';
  }

  std::string rank_of_tile(std::uint32_t tile) const {
    return std::to_string(std::uint64_t{tile} * sums_.ranks_of_tile);
  }

  std::string column_labels() const {
    const auto step = static_cast<std::uint32_t>((margin_ + 6) / width_of_tile());
    std::string text(margin_, ' ');
    for (std::uint32_t tile = 0; tile < sums_.tiles; tile += step) {
      text.resize(margin_ + tile * width_of_tile(), ' ');
      const std::string label = rank_of_tile(tile);
      if (tile == 0 || text.size() + label.size() <= margin_ + sums_.tiles * width_of_tile()) {
        text += label;
      }
    }
    while (text.ends_with(' ')) text.pop_back();
    return text + '\n';
  }

  std::string line(std::uint32_t row) const {
    constexpr std::uint32_t labelled = 4;  // each so many lines
    const std::uint32_t number = halves_ ? row / 2 : row;
    std::string text =
        fmt::format("{:>{}}  ", number % labelled == 0 ? rank_of_tile(row) : "", margin_ - 2);
    int foreground = -1;
    int background = -1;
    std::string cells;
    for (std::uint32_t column = 0; column < sums_.tiles; ++column) {
      const std::size_t shade = scale_.shade(sums_.at(row, column));
      if (!palette_.marks.empty()) {
        const std::string_view mark = shade == 0 ? " " : palette_.marks[shade - 1];
        cells.append(mark).append(mark);
        continue;
      }
      const bool has_lower = halves_ && row + 1 < sums_.tiles;
      const int upper = color(shade);
      const int lower = !halves_    ? upper
                        : has_lower ? color(scale_.shade(sums_.at(row + 1, column)))
                                    : -1;
      put_colored(cells, upper, lower, foreground, background);
    }
    if (foreground >= 0 || background >= 0) cells += plain_code;
    while (cells.ends_with(' ')) cells.pop_back();
    return text + cells + '\n';
  }

  int color(std::size_t shade) const { return shade == 0 ? -1 : palette_.colors[shade - 1]; }

  /// One tile of `upper`, or two tiles in one character; -1 is the terminal's own background.
  void put_colored(std::string& cells, int upper, int lower, int& foreground,
                   int& background) const {
    std::string_view mark = halves_ ? "▀" : "  ";
    int front = upper;
    int back = lower;
    if (halves_ && upper < 0) {
      mark = lower < 0 ? " " : "▄";
      std::swap(front, back);
    }
    if (!halves_) front = -1;
    if (front != foreground || back != background) {
      cells += plain_code;
      if (front >= 0) cells += fmt::format("\x1b[38;5;{}m", front);
      if (back >= 0) cells += fmt::format("\x1b[48;5;{}m", back);
    }
    foreground = front;
    background = back;
    cells += mark;
  }

  std::string legend() const {
    if (scale_.least() == scale_.most()) {
      return placed(fmt::format("blank: none; all others: {}", scaled_bytes(scale_.most())));
    }
    if (palette_.marks.empty()) {
      std::string text(margin_, ' ');
      for (const int color : palette_.colors) text += fmt::format("\x1b[48;5;{}m ", color);
      const std::string words =
          fmt::format("from {} to {}, logarithmic; blank: none", scaled_bytes(scale_.least()),
                      scaled_bytes(scale_.most()));
      const std::size_t begin = margin_ + palette_.colors.size() + 1;
      return fmt::format("{}{} {}\n", text, plain_code, wrapped(words, columns_, margin_, begin));
    }
    std::string text = "blank: none, ";
    for (std::size_t shade = 1; shade <= palette_.shades(); ++shade) {
      const auto from = static_cast<std::uint64_t>(std::ceil(scale_.from(shade)));
      text += fmt::format("{} from {}, ", palette_.marks[shade - 1], scaled_bytes(from));
    }
    return placed(text + fmt::format("at most {}", scaled_bytes(scale_.most())));
  }

  /// Below the tiles, on as many lines as it takes.
  std::string placed(std::string_view text) const {
    const std::string indent(margin_, ' ');
    return indent + wrapped(text, columns_, margin_) + '\n';
  }

  Palette palette_;
  std::size_t columns_;
  std::size_t margin_;
  bool halves_;
  TileSums sums_;
  Scale scale_;
};

}  // namespace

TileSums tile_sums(const TrafficMatrix& matrix, std::uint32_t most) {
  TileSums sums;
  sums.ranks = matrix.ranks();
  most = std::max(most, 1U);
  const std::uint64_t least = (std::uint64_t{sums.ranks} + most - 1) / most;
  sums.ranks_of_tile = tile_size(sums.ranks, std::max(static_cast<std::uint32_t>(least), 1U));
  sums.tiles = (sums.ranks + sums.ranks_of_tile - 1) / sums.ranks_of_tile;
  sums.bytes.resize(std::size_t{sums.tiles} * sums.tiles);
  for (std::uint32_t rank = 0; rank < sums.ranks; ++rank) {
    const auto destinations = matrix.destinations(Rank(rank));
    const auto weights = matrix.weights(Rank(rank));
    const std::size_t row = std::size_t{rank / sums.ranks_of_tile} * sums.tiles;
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      if (destinations[i].value == rank) continue;
      sums.bytes[row + destinations[i].value / sums.ranks_of_tile] += weights[i];
    }
  }
  return sums;
}

std::string heatmap(const TrafficMatrix& matrix, const Terminal& terminal) {
  return Picture(matrix, terminal).text();
}

}  // namespace kith::tools
