// What is said of a machine that is refused.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kith/error.hpp"
#include "kith/machine.hpp"

namespace kith {

/// The message; "accepted" where there is none.
inline std::string refusal(const std::string& spec) {
  try {
    parse_machine(spec);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

}  // namespace kith
