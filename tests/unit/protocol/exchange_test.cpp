#include "protocol/exchange.hpp"

#include <gtest/gtest.h>

namespace kith {
namespace {

TEST(ExchangeTest, CarriesAnyBytes) {
  Exchange sent;
  sent.set("task", "reorder");
  sent.set("binary", std::string("a\0b\nend\n", 8));
  sent.set("empty", "");
  const auto received = Exchange::decode(sent.encode());
  ASSERT_TRUE(received);
  EXPECT_EQ(received->get("task"), "reorder");
  EXPECT_EQ(received->get("binary"), std::string_view("a\0b\nend\n", 8));
  EXPECT_EQ(received->get("empty"), "");
  EXPECT_EQ(received->get("absent"), std::nullopt);
}

TEST(ExchangeTest, TheLastValueOfANameStays) {
  Exchange exchange;
  exchange.set("a", "1");
  exchange.set("a", "2");
  EXPECT_EQ(exchange.text("a"), "2");
}

TEST(ExchangeTest, RefusesWhatIsCutOrForeign) {
  Exchange sent;
  sent.set("name", "some bytes");
  const std::string whole = sent.encode();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(Exchange::decode(whole.substr(0, length))) << length;
  }
  EXPECT_FALSE(Exchange::decode("kith-exchange 1\nname 99999\nx\nend\n"));
  EXPECT_FALSE(Exchange::decode("kith-exchange 1\nname -1\nx\nend\n"));
  EXPECT_FALSE(Exchange::decode("hello\n"));
}

}  // namespace
}  // namespace kith
