#include "report/report_json.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "report_samples.hpp"

namespace kith {
namespace {

const char* const hostile =
    "</script><script>alert('x')</script><!-- & \xE2\x80\xA8 \xE2\x80\xA9 \xFF\xC3 \x1b[2J \"\\";
const std::string hostile_as_text =
    "</script><script>alert('x')</script><!-- & \xE2\x80\xA8 \xE2\x80\xA9 \xEF\xBF\xBD\xEF\xBF\xBD "
    "\x1b[2J \"\\";

ReportData data_with(const std::string& name) {
  ReportData data;
  data.title = name;
  data.run.program = name;
  data.run.mpi = name;
  data.summary.headline = name;
  data.summary.sentences = {name};
  data.missing = {{"load", name}};
  data.machine = ReportMachine{};
  data.machine->spec = name;
  data.machine->levels = {{name, 1, {}}};
  data.machine->hosts = {{0, name, 0, 1}};
  data.orders.emplace_back();
  data.orders[0].id = "present";
  data.orders[0].name = name;
  data.orders[0].file = name;
  data.phases = {{name, 1}};
  data.talkers = {{Rank(0), Rank(1), 5, {}, name, name}};
  return data;
}

TEST(ReportJson, NoNameEndsTheScript) {
  const std::string json = report_json(data_with(hostile));
  for (const char* part : {"<", ">", "&", "\xE2\x80\xA8", "\xE2\x80\xA9", "\x1b"}) {
    EXPECT_EQ(json.find(part), std::string::npos) << part;
  }
  const auto read = nlohmann::json::parse(json);
  EXPECT_EQ(read["title"], hostile_as_text);
  EXPECT_EQ(read["machine"]["hosts"][0]["name"].get<std::string>().substr(0, 60),
            hostile_as_text.substr(0, 60));
  EXPECT_EQ(read["orders"][0]["file"], hostile_as_text);
}

TEST(ReportJson, LongNamesAreCut) {
  const std::string json = report_json(data_with(std::string(1'000'000, 'x')));
  // Ours are the headline, the sentences and the reasons.
  EXPECT_LT(json.size(), 3'000'000U + 5000);
  const auto read = nlohmann::json::parse(json);
  EXPECT_LT(read["machine"]["hosts"][0]["name"].get<std::string>().size(), 100U);
  EXPECT_TRUE(read["run"]["program"].get<std::string>().ends_with("..."));
}

TEST(ReportJson, CutsBetweenCharacters) {
  EXPECT_EQ(clipped("short", 5), "short");
  EXPECT_EQ(clipped("shorter", 5), "short...");
  EXPECT_EQ(clipped("abc\xE2\x82\xAC", 5), "abc...");
  EXPECT_EQ(clipped("\x80\x80\x80\x80", 2), "...");
}

TEST(ReportJson, CellsAreFiveNumbersEach) {
  ReportData data = data_with("t");
  data.orders[0].matrices = {{"all", {{4, 2, {{0, 1, 18446744073709551615U, 3, -1}}}}}};
  const auto level =
      nlohmann::json::parse(report_json(data))["orders"][0]["matrices"]["all"]["levels"][0];
  EXPECT_EQ(level["block"], 4);
  EXPECT_EQ(level["side"], 2);
  EXPECT_EQ(level["cells"].dump(), "[0,1,18446744073709551615,3,-1]");
}

TEST(ReportJson, SaysWhoStandsWhere) {
  const auto machine = parse_machine("tree:4");
  ReportData data;
  data.run.ranks = 4;
  data.orders = {order_by_place({{Slot(0), Slot(1), Slot(2), Slot(3)}}, *machine),
                 order_by_place({{Slot(1), Slot(0), Slot(2), Slot(3)}}, *machine)};
  const auto orders = nlohmann::json::parse(report_json(data))["orders"];
  EXPECT_EQ(orders[0]["axis"], "ranks");
  EXPECT_FALSE(orders[0].contains("rank_at"));
  EXPECT_EQ(orders[1]["axis"], "listed");
  const std::uint32_t rank_at[] = {1, 0, 2, 3};
  EXPECT_EQ(orders[1]["rank_at"], base64_of(rank_at));
}

TEST(ReportJson, TooManyRanksAreNotListed) {
  ReportData data;
  data.run.ranks = 300'000;
  data.orders.resize(1);
  data.orders[0].axis = axis_by_rank(data.run.ranks);
  std::swap(data.orders[0].axis.rank_at[0], data.orders[0].axis.rank_at[1]);
  const auto order = nlohmann::json::parse(report_json(data))["orders"][0];
  EXPECT_EQ(order["axis"], "positions");
  EXPECT_FALSE(order.contains("rank_at"));
}

TEST(Base64, OfNumbersLowestByteFirst) {
  const std::uint32_t numbers[] = {0x64636261, 0x68676665, 0x6C6B6A69};
  EXPECT_EQ(base64_of(std::span(numbers).first(0)), "");
  EXPECT_EQ(base64_of(std::span(numbers).first(1)), "YWJjZA==");
  EXPECT_EQ(base64_of(std::span(numbers).first(2)), "YWJjZGVmZ2g=");
  EXPECT_EQ(base64_of(numbers), "YWJjZGVmZ2hpamts");
}

}  // namespace
}  // namespace kith
