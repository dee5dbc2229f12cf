// The cases of tests/corpus.
#pragma once

#include <filesystem>

namespace kith {

/// Its folder.
inline std::filesystem::path corpus() {
  return KITH_CORPUS_DIR;
}

}  // namespace kith
