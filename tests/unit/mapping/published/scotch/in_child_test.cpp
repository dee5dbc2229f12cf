#include "mapping/published/scotch/library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <new>
#include <stdexcept>
#include <string>

#include "kith/error.hpp"

namespace kith::scotch {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Optional;

void sleep_for_ever(const Report&) {
  while (true) pause();
}

Budget budget_of(double seconds) {
  MapOptions options;
  options.time_limit = seconds;
  return Budget(options);
}

TEST(InChild, ReturnsTheLastAnswer) {
  EXPECT_EQ(in_child(nullptr, [](const Report&) {}), std::nullopt);
  EXPECT_THAT(in_child(nullptr,
                       [](const Report& report) {
                         report({1, 2});
                         report({4'000'000'000, 3});
                       }),
              Optional(Answer{4'000'000'000, 3}));
}

TEST(InChild, StopsWhenTheTimeIsUp) {
  Budget none = budget_of(0.1);
  EXPECT_EQ(in_child(&none, sleep_for_ever), std::nullopt);
  EXPECT_EQ(none.stopped(), Stopped::time);
  Budget one = budget_of(3);  // a child needs some of it to begin
  EXPECT_THAT(in_child(&one,
                       [](const Report& report) {
                         report({7});
                         sleep_for_ever(report);
                       }),
              Optional(Answer{7}));
}

TEST(InChild, SpendsNoWork) {
  MapOptions options;
  options.work = 0;
  Budget budget(options);
  EXPECT_TRUE(budget.exhausted());
  EXPECT_THAT(in_child(&budget, [](const Report& report) { report({1}); }), Optional(Answer{1}));
}

template <class Work>
void expect_error(const Work& work, ErrorKind kind, const auto& says) {
  try {
    in_child(nullptr, work);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    EXPECT_THAT(std::string(error.what()), says);
  }
}

TEST(InChild, KnowsErrorsThatNameAnArgument) {
  try {
    in_child(nullptr, [](const Report&) { throw bad_argument("set x", "a", "b"); });
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_TRUE(error.names_argument());
  }
}

TEST(InChild, ThrowsWhatTheWorkThrows) {
  expect_error([](const Report&) { throw bad_input("FILE:3", "a", "b"); }, ErrorKind::input,
               "FILE:3: expected a, found b");
  expect_error([](const Report&) { throw environment_error("none left"); }, ErrorKind::environment,
               "none left");
  expect_error([](const Report&) { throw std::bad_alloc(); }, ErrorKind::environment,
               HasSubstr("not enough memory"));
  expect_error([](const Report&) { throw std::runtime_error("odd"); }, ErrorKind::internal, "odd");
}

TEST(InChild, ACrashIsAnErrorOfTheEnvironment) {
  expect_error(
      [](const Report& report) {
        report({1});  // not the best there is: another run might get further
        std::raise(SIGSEGV);
      },
      ErrorKind::environment, AllOf(HasSubstr("Scotch ended by signal 11"), HasSubstr("memory")));
}

}  // namespace
}  // namespace kith::scotch
