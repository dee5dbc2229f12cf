#include "record/row_memory.hpp"

#include <cstdlib>

namespace kith::record {

void* row_memory(std::size_t bytes) {
  return std::calloc(1, bytes);
}

}  // namespace kith::record
