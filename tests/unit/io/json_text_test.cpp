#include "io/format/json_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace kith {
namespace {

std::string text_of(std::string_view value) {
  return JsonText().value(value).text();
}

/// A JSON document of one string that needs no escapes.
std::string document(const std::string& content) {
  std::string out(1, '"');
  out.append(content).append("\"\n");
  return out;
}

TEST(JsonText, LaysOutContainers) {
  JsonText json;
  json.begin_object();
  json.key("a").value(1).key("b").begin_array();
  json.begin_object(JsonLayout::line).key("x").value(true).key("y").begin_array().end_array();
  json.end_object().value("z").end_array();
  json.key("c").begin_object().end_object().key("d").null().end_object();
  EXPECT_EQ(json.text(),
            "{\n  \"a\": 1,\n  \"b\": [\n    {\"x\": true, \"y\": []},\n    \"z\"\n  ],\n"
            "  \"c\": {},\n  \"d\": null\n}\n");
  EXPECT_TRUE(nlohmann::json::accept(json.text()));
}

TEST(JsonText, EscapesWhatJsonForbids) {
  EXPECT_EQ(text_of("a\"b\\c/"), "\"a\\\"b\\\\c/\"\n");
  EXPECT_EQ(text_of("\n\t\r\x01\x1f\x7f"), "\"\\n\\t\\u000d\\u0001\\u001f\\u007f\"\n");
  EXPECT_EQ(text_of(std::string_view("\0x", 2)), "\"\\u0000x\"\n");
}

TEST(JsonText, KeepsUtf8AndReplacesTheRest) {
  for (const char* good : {"é", "€", "𝄞", "\xEF\xBF\xBF", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(text_of(good), document(good));
  }
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(text_of("a\xFFz"), document("a" + bad + "z"));
  EXPECT_EQ(text_of("\xC3"), document(bad));
  EXPECT_EQ(text_of("\xC3("), document(bad + "("));
  EXPECT_EQ(text_of("\xC0\xAF"), document(bad + bad));            // overlong
  EXPECT_EQ(text_of("\xE0\x80\x80"), document(bad + bad + bad));  // overlong
  EXPECT_EQ(text_of("\xED\xA0\x80"), document(bad + bad + bad));  // surrogate
  EXPECT_EQ(text_of("\xF4\x90\x80\x80"), document(bad + bad + bad + bad));
  EXPECT_EQ(text_of("\xE2\x82z"), document(bad + "z"));  // one for the maximal part
  EXPECT_EQ(text_of("\xF0\x9D\x84"), document(bad));
}

TEST(JsonText, AnyBytesGiveValidJson) {
  std::string all;
  for (int i = 0; i < 256; ++i) {
    for (int j = 0; j < 256; j += 7) {
      all += static_cast<char>(i);
      all += static_cast<char>(j);
    }
  }
  EXPECT_TRUE(nlohmann::json::accept(text_of(all)));
}

TEST(JsonText, Numbers) {
  EXPECT_EQ(JsonText().value(std::numeric_limits<std::uint64_t>::max()).text(),
            "18446744073709551615\n");
  EXPECT_EQ(JsonText().value(std::numeric_limits<std::int64_t>::min()).text(),
            "-9223372036854775808\n");
  EXPECT_EQ(JsonText().value(0.1).text(), "0.1\n");
  EXPECT_EQ(JsonText().value(-2.5).text(), "-2.5\n");
  EXPECT_EQ(JsonText().value(std::nan("")).text(), "null\n");
  EXPECT_EQ(JsonText().value(HUGE_VAL).text(), "null\n");
  for (const double number : {1.0 / 3, 1e300, 5e-324, 123456789.123456789, 1e21}) {
    EXPECT_EQ(nlohmann::json::parse(JsonText().value(number).text()).get<double>(), number);
  }
}

}  // namespace
}  // namespace kith
