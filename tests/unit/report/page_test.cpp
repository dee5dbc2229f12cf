#include "report/page.hpp"

#include <gmock/gmock.h>

#include "report/report_json.hpp"

namespace kith {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

ReportData data_with(const std::string& name) {
  ReportData data;
  data.title = name;
  data.summary.headline = name;
  data.summary.sentences = {name, "second"};
  data.run.program = name;
  data.orders.resize(1);
  return data;
}

std::string page_of(const ReportData& data) {
  return report_page(data, report_json(data));
}

TEST(Page, HasAllItsParts) {
  const ReportData data = data_with("some run");
  const std::string page = page_of(data);
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_THAT(page, HasSubstr("<title>some run"));
  EXPECT_THAT(page,
              HasSubstr("<p class=\"headline\">some run</p>\n<p>some run</p>\n<p>second</p>"));
  EXPECT_THAT(page, HasSubstr(page_script()));
  EXPECT_THAT(page, HasSubstr(page_style()));
  EXPECT_THAT(page, HasSubstr("id=\"kith-data\">" + report_json(data) + "</script>"));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  EXPECT_EQ(page.size() - report_json(data).size(), page_bytes_without_data(data));
}

TEST(Page, NeedsNothingBesideIt) {
  const std::string page = page_of(data_with("t"));
  for (const char* part : {"src=\"http", "href=\"http", "url(http", "@import", "fetch("}) {
    EXPECT_THAT(page, Not(HasSubstr(part)));
  }
}

TEST(Page, NamesAreText) {
  const std::string innocent = page_of(data_with("t"));
  const std::string page =
      page_of(data_with("</title></script><script>alert(1)</script><b>\"'&\xFF"));
  for (const char* tag : {"<script", "</script", "</title", "<b>"}) {
    EXPECT_EQ(count(page, tag), count(innocent, tag)) << tag;
  }
  EXPECT_THAT(page, HasSubstr("&lt;b&gt;&quot;&#39;&amp;\xEF\xBF\xBD"));
}

TEST(Page, NamesFillNoPlaceholder) {
  const std::string page = page_of(data_with("{{script}}{{data}}{{title}}"));
  EXPECT_THAT(page, HasSubstr("<title>{{script}}{{data}}{{title}}"));
}

TEST(AsHtml, ControlCharactersAreBlanks) {
  EXPECT_EQ(as_html("a\x1b\n\t\x7f"
                    "b\\n"),
            "a    b\\n");
  EXPECT_EQ(as_html("\xC2\x9B\xC2\xA0\xC3\xA9"), " \xC2\xA0\xC3\xA9");
  EXPECT_EQ(as_html(std::string("\0x", 2)), " x");
  EXPECT_EQ(as_html("\xEF\xBF\xBF\xEF\xBF\xBD\xEF\xBC\xBF"),
            "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBC\xBF");
  EXPECT_EQ(as_html(""), "");
}

TEST(AsHtml, ControlsOfTheDirectionAreReplaced) {
  for (const char* control : {"\xD8\x9C", "\xE2\x80\x8E", "\xE2\x80\x8F", "\xE2\x80\xAA",
                              "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x81\xA9"}) {
    EXPECT_EQ(as_html(std::string("x") + control + "gnp<"), "x\xEF\xBF\xBDgnp&lt;") << control;
  }
  for (const char* text : {"\xE2\x80\x8D", "\xE2\x80\x90", "\xE2\x80\xA9", "\xE2\x80\xAF",
                           "\xE2\x81\xA5", "\xE2\x81\xAA", "\xD8\x9D"}) {
    EXPECT_EQ(as_html(text), text);
  }
}

}  // namespace
}  // namespace kith
