#include "io/thread_matrices.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/parse_number.hpp"
#include "io/format/trace_text.hpp"

namespace kith {
namespace {

namespace fs = std::filesystem;

/// "...; 1234 samples" in a comment at the head of the file.
std::uint64_t samples_in(const fs::path& file) {
  std::ifstream text(file);
  std::string line;
  constexpr std::string_view ending = " samples";
  while (std::getline(text, line) && line.starts_with('%')) {
    std::string_view rest = line;
    if (!rest.ends_with(ending)) continue;
    rest.remove_suffix(ending.size());
    if (const auto samples = parse_unsigned(rest.substr(rest.rfind(' ') + 1))) return *samples;
  }
  return 0;
}

/// Ascending.
std::vector<std::uint32_t> ranks_with_threads(const Trace& trace) {
  std::vector<std::uint32_t> ranks;
  std::error_code none;
  for (const auto& entry :
       fs::directory_iterator(trace.path / trace_names::threads_directory, none)) {
    const fs::path& name = entry.path();
    const auto rank = parse_unsigned(name.stem().string());
    if (name.extension() != ".mtx" || !rank || *rank >= trace.bytes.ranks()) continue;
    ranks.push_back(static_cast<std::uint32_t>(*rank));
  }
  std::ranges::sort(ranks);
  return ranks;
}

}  // namespace

bool ThreadMatrix::is_sharing() const {
  constexpr std::uint64_t touches_of_a_thread = 100;
  constexpr std::uint64_t samples_of_a_touch = 10;
  const Weight shared = touches.total(false);
  return shared > 0 && (samples > 0 ? shared >= samples / samples_of_a_touch
                                    : shared >= touches_of_a_thread * threads());
}

void visit_thread_matrices(const Trace& trace,
                           const std::function<void(const ThreadMatrix&)>& visit) {
  for (const std::uint32_t rank : ranks_with_threads(trace)) {
    const fs::path file = trace.path / trace_names::thread_matrix(rank);
    visit({rank, read_matrix(file), samples_in(file)});
  }
}

std::string thread_matrix_comment(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line) || !line.starts_with("%%MatrixMarket")) return {};
  if (!std::getline(in, line) || !line.starts_with("% how often thread")) return {};
  return line.substr(2);
}

}  // namespace kith
