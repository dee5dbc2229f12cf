// Files of a test, and errors as tables: content -> parts of the message.
#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/rng.hpp"
#include "kith/error.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// A directory that is gone after the test.
class TempDirectory {
 public:
  TempDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "kith-io-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TempDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;

  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  /// Makes parent directories, too.
  std::filesystem::path write(std::string_view name, std::string_view content) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::filesystem::remove(file);  // some file systems flush what is truncated and written anew
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }

 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Runs `call`, which must throw an Error of kind `kind` that says all of `parts`.
template <class Call>
void expect_error(Call call, const std::vector<std::string>& parts,
                  ErrorKind kind = ErrorKind::input) {
  try {
    call();
    ADD_FAILURE() << "no error; expected one with " << ::testing::PrintToString(parts);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), kind) << e.what();
    for (const std::string& part : parts) EXPECT_THAT(e.what(), ::testing::HasSubstr(part));
  }
}

struct BrokenFile {
  std::string content;
  std::vector<std::string> message_parts;
};

using Cells = std::vector<std::vector<Weight>>;

inline Cells cells_of(const TrafficMatrix& m) {
  Cells cells(m.ranks(), std::vector<Weight>(m.ranks(), 0));
  for (std::uint32_t r = 0; r < m.ranks(); ++r) {
    for (std::uint32_t c = 0; c < m.ranks(); ++c) cells[r][c] = m.at(Rank{r}, Rank{c});
  }
  return cells;
}

inline TrafficMatrix random_matrix(std::uint32_t ranks, std::uint64_t draws, std::uint64_t seed) {
  Rng rng(seed);
  TrafficMatrixBuilder builder(ranks);
  for (std::uint64_t i = 0; i < draws; ++i) {
    const auto a = static_cast<std::uint32_t>(rng.below(ranks));
    const auto b = static_cast<std::uint32_t>(rng.below(ranks));
    builder.add(Rank{a}, Rank{b}, rng.next() >> (8 + rng.below(56)));
  }
  return builder.build();
}

inline bool same(const TrafficMatrix& a, const TrafficMatrix& b) {
  if (a.ranks() != b.ranks() || a.entries() != b.entries()) return false;
  for (std::uint32_t r = 0; r < a.ranks(); ++r) {
    const auto da = a.destinations(Rank{r});
    const auto db = b.destinations(Rank{r});
    const auto wa = a.weights(Rank{r});
    const auto wb = b.weights(Rank{r});
    if (!std::equal(da.begin(), da.end(), db.begin(), db.end()) ||
        !std::equal(wa.begin(), wa.end(), wb.begin(), wb.end())) {
      return false;
    }
  }
  return true;
}

}  // namespace kith
