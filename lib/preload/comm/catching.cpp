#include "comm/catching.hpp"

#include <exception>

namespace kith::preload {

bool done_without_exception(void (*act)(void* state), void* state) noexcept {
  try {
    act(state);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace kith::preload
