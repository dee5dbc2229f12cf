#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kith/error.hpp"
#include "kith/mapper.hpp"

namespace kith {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string refusal(const std::string& name) {
  try {
    find_algorithm(name);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "found";
}

TEST(Registry, EachMapperIsFoundByItsName) {
  std::set<std::string_view> names;
  for (const Mapper* mapper : mappers()) {
    EXPECT_TRUE(names.insert(mapper->name()).second) << mapper->name();
    EXPECT_FALSE(mapper->summary().empty());
    EXPECT_FALSE(mapper->source().empty());
    EXPECT_EQ(find_algorithm(mapper->name()).mapper, mapper);
    EXPECT_FALSE(find_algorithm(mapper->name()).refine);
    const std::string refined = std::string(mapper->name()) + "+refine";
    EXPECT_EQ(find_algorithm(refined).mapper, mapper);
    EXPECT_TRUE(find_algorithm(refined).refine);
    EXPECT_EQ(find_algorithm(refined).name(), refined);
  }
  for (const char* name : {"identity", "random", "eagermap", "scotch", "auto"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(Registry, ListsAndSuggests) {
  EXPECT_THAT(refusal("eagremap"), HasSubstr("algorithm: expected one of identity, random, "));
  EXPECT_THAT(refusal("eagremap"), HasSubstr("found \"eagremap\" (did you mean eagermap?)"));
  EXPECT_THAT(refusal("Scotch+refine"), HasSubstr("did you mean scotch?"));
  EXPECT_THAT(refusal("simulated-annealing"), Not(HasSubstr("did you mean")));
  EXPECT_THAT(refusal(""), Not(HasSubstr("did you mean")));
  EXPECT_THAT(refusal("+refine"), Not(HasSubstr("did you mean")));
  EXPECT_THAT(refusal(std::string(100000, 'e')), Not(HasSubstr("did you mean")));
}

}  // namespace
}  // namespace kith
