#include "io/trace_files.hpp"

#include <sys/stat.h>

#include <cstring>

#include "core/row_block.hpp"
#include "io/format/trace_text.hpp"
#include "kith/io.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

struct Counter {
  std::uint32_t peer;
  std::uint64_t messages;
  std::array<std::uint64_t, 3> bytes;
};

/// The bytes of a row file, block by block.
class FileText {
 public:
  FileText(std::uint32_t rank, std::uint32_t ranks, std::uint64_t run, bool incomplete = false) {
    text_.append(row_file_magic.data(), row_file_magic.size());
    for (const std::uint32_t word : {row_file_version, rank, ranks, incomplete ? 1U : 0U})
      put(word);
    put(run);
    fill_chunk(sizeof(RowFileHeader));
  }

  FileText& block(RowDirection direction, std::uint32_t capacity,
                  const std::vector<Counter>& counters) {
    const std::size_t bytes = RowBlock::bytes(capacity);
    if (bytes > text_.size() - at_) fill_chunk(at_ = text_.size());
    while (bytes > text_.size() - at_) text_.append(row_chunk_bytes, '\0');
    std::size_t at = at_;
    for (const std::uint32_t word : {row_block_magic, static_cast<std::uint32_t>(direction),
                                     capacity, static_cast<std::uint32_t>(counters.size())}) {
      set(at, word);
    }
    for (const Counter& counter : counters) {
      set(at, counter.messages);
      for (const std::uint64_t value : counter.bytes) set(at, value);
      set(at, std::uint64_t{counter.peer});
    }
    at_ += bytes;
    if (bytes > row_chunk_bytes) at_ = text_.size();
    return *this;
  }

  /// Overwrites a word.
  FileText& word(std::size_t at, std::uint32_t value) {
    set(at, value);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  template <class T>
  void put(T value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void set(std::size_t& at, T value) {
    std::memcpy(text_.data() + at, &value, sizeof value);
    at += sizeof value;
  }
  void fill_chunk(std::size_t used) {
    at_ = used;
    text_.append(row_chunk_bytes - text_.size() % row_chunk_bytes, '\0');
  }

  std::string text_;
  std::size_t at_ = 0;
};

constexpr auto sent = RowDirection::sent;
constexpr auto fetched = RowDirection::fetched;
constexpr std::size_t first_block = sizeof(RowFileHeader);
constexpr std::size_t first_counter = first_block + sizeof(RowBlock);

class RowFileTest : public testing::Test {
 protected:
  std::string read(const std::string& text) const {
    std::string seen;
    const auto path = dir_.write("r", text);
    const RowFileState state = read_row_file(path, {2, 5, 77}, [&](const RowFileEntry& entry) {
      seen += std::to_string(entry.source) + ">" + std::to_string(entry.destination) + ":" +
              std::to_string(entry.messages) + "/" + std::to_string(entry.bytes[0]) + "," +
              std::to_string(entry.bytes[1]) + "," + std::to_string(entry.bytes[2]) + " ";
    });
    if (state == RowFileState::empty) return seen + "none";
    return seen + (state == RowFileState::whole ? "all" : "some");
  }
  TempDirectory dir_;
};

TEST_F(RowFileTest, GivesEveryCounterOnce) {
  EXPECT_EQ(read(FileText(2, 5, 77).text()), "all");
  EXPECT_EQ(read(FileText(2, 5, 77, true)
                     .block(sent, 16, {{0, 1, {2, 3, 4}}, {4, 0, {0, 0, 0}}})
                     .block(fetched, 16, {{3, 5, {0, 0, 9}}})
                     .text()),
            "2>0:1/2,3,4 3>2:5/0,0,9 some")
      << "a counter that never counted is none; what was fetched was sent by the peer";
}

TEST_F(RowFileTest, AFileThatWasNeverBegunIsEmpty) {
  EXPECT_EQ(read(""), "none");
  EXPECT_EQ(read(std::string(row_chunk_bytes, '\0')), "none");
}

TEST_F(RowFileTest, FollowsBlocksOverChunks) {
  std::vector<Counter> many(1500);
  FileText file(2, 5, 77);
  file.block(sent, 16, {{0, 1, {1, 0, 0}}});
  for (int i = 0; i < 3; ++i) file.block(sent, 1024, {{1, 1, {1, 0, 0}}});
  many.back() = {3, 7, {7, 0, 0}};
  file.block(sent, 4096, many).block(fetched, 16, {{4, 1, {0, 0, 1}}});
  EXPECT_EQ(read(file.text()),
            "2>0:1/1,0,0 2>1:1/1,0,0 2>1:1/1,0,0 2>1:1/1,0,0 2>3:7/7,0,0 "
            "4>2:1/0,0,1 all");
  EXPECT_EQ(read(file.text() + std::string(100, 0)), read(file.text()))
      << "a chunk that was just begun";
}

TEST_F(RowFileTest, BrokenFilesAreErrorsThatSayWhere) {
  const auto good = [] {
    return FileText(2, 5, 77).block(sent, 16, {{0, 1, {1, 0, 0}}, {1, 1, {1, 0, 0}}});
  };
  const std::vector<BrokenFile> broken{
      {good().text().substr(0, 31), {"at least 32 bytes", "found 31"}},
      {good().text().substr(0, 200), {"byte 32", "656 bytes for 16 counters", "168 at the end"}},
      {std::string(row_chunk_bytes, 'x'), {"byte 0", "kithrows"}},
      {good().word(8, 2).text(), {"version", "expected 1, found 2"}},
      {FileText(3, 5, 77).text(), {"rank", "expected 2, found 3"}},
      {FileText(2, 6, 77).text(), {"number of ranks", "expected 5, found 6"}},
      {FileText(2, 5, 78).text(), {"run", "000000000000004d", "000000000000004e"}},
      {good().word(first_block, 7).text(), {"byte 32", "a block of counters or zeros"}},
      {good().word(first_block + 4, 3).text(), {"byte 32", "sent (1) or fetched (2)", "3"}},
      {good().word(first_block + 8, 0xFFFFFFFF).text(), {"byte 32", "4294967295 counters"}},
      {good().word(first_block + 12, 17).text(), {"byte 32", "at most 16 used", "17"}},
      {good().word(first_counter + 40 + 32, 5).text(), {"byte 88", "a peer below 5", "found 5"}},
      {good().word(first_block + sizeof(RowBlock) + 16 * 40, 1).text(), {"byte 688", "zeros"}},
  };
  for (const BrokenFile& file : broken) {
    std::vector<std::string> parts = file.message_parts;
    parts.push_back((dir_ / "r").string());
    expect_error([&] { read(file.content); }, parts);
  }
  expect_error([&] { read_row_file(dir_ / "absent", {}, [](const RowFileEntry&) {}); },
               {"absent", "No such file"});
  ASSERT_EQ(mkfifo((dir_ / "pipe").c_str(), 0600), 0);
  expect_error([&] { read_row_file(dir_ / "pipe", {}, [](const RowFileEntry&) {}); },
               {"no regular file"});
  expect_error([&] { read_row_file(dir_.path(), {}, [](const RowFileEntry&) {}); },
               {"no regular file"});
}

TEST_F(RowFileTest, AnyDamageIsAnErrorOrOtherNumbersButNoCrash) {
  const std::string good =
      FileText(2, 5, 77).block(sent, 16, {{0, 1, {1, 0, 0}}}).block(fetched, 16, {}).text();
  Rng rng(3);
  for (int i = 0; i < 2000; ++i) {
    std::string text = good;
    for (int k = 0; k < 3; ++k) text[rng.below(1500)] = static_cast<char>(rng.next());
    if (i % 4 == 0) text.resize(rng.below(2000));
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    }
  }
}

class PartialTraceTest : public testing::Test {
 protected:
  void SetUp() override {
    TraceMetaText meta;
    meta.ranks = 3;
    meta.partial = true;
    meta.run = "000000000000004d";
    put(trace_names::meta, meta_json_text(meta));
    put("rank-000000.rows", FileText(0, 3, 77)
                                .block(sent, 16, {{1, 2, {10, 1, 0}}})
                                .block(sent, 16, {{1, 1, {5, 0, 0}}})  // another thread's
                                .block(fetched, 16, {{2, 1, {0, 0, 4}}})
                                .text());
    put("rank-000002.rows", FileText(2, 3, 77, true).block(sent, 16, {{0, 1, {0, 0, 6}}}).text());
  }
  void put(const std::string& name, const std::string& text) {
    dir_.write("app.kith.partial/" + name, text);
  }
  TempDirectory dir_;
};

TEST_F(PartialTraceTest, MergesTheRowsThatAreThere) {
  for (const char* name : {"app", "app.kith", "app.kith.partial", "app.kith.partial/"}) {
    const Trace trace = read_trace(dir_ / name);
    EXPECT_EQ(cells_of(trace.bytes), (Cells{{0, 16, 0}, {0, 0, 0}, {10, 0, 0}})) << name;
    ASSERT_TRUE(trace.partial && trace.meta->partial);
    EXPECT_EQ(trace.partial->ranks, 2U);
    EXPECT_EQ(trace.partial->incomplete, 1U);
    EXPECT_EQ(cells_of(*read_trace_part(trace, trace_names::messages)),
              (Cells{{0, 3, 0}, {0, 0, 0}, {2, 0, 0}}));
    EXPECT_EQ(cells_of(*read_trace_part(trace, trace_names::p2p_bytes)),
              (Cells{{0, 15, 0}, {0, 0, 0}, {0, 0, 0}}));
    EXPECT_EQ(cells_of(*read_trace_part(trace, trace_names::coll_bytes)),
              (Cells{{0, 1, 0}, {0, 0, 0}, {0, 0, 0}}));
    EXPECT_EQ(cells_of(*read_trace_part(trace, trace_names::rma_bytes)),
              (Cells{{0, 0, 0}, {0, 0, 0}, {10, 0, 0}}));
    EXPECT_FALSE(read_trace_part(trace, "phases/0001.bytes.mtx"));
  }
  EXPECT_EQ(cells_of(read_trace(dir_ / "app", {.messages = true, .phase = {}}).bytes)[0][1], 3U);
  expect_error([&] { read_trace(dir_ / "app", {.messages = false, .phase = "solve"}); },
               {"no phases"});
}

TEST_F(PartialTraceTest, AWholeTraceGoesFirst) {
  TraceMetaText meta;
  meta.ranks = 1;
  dir_.write("app.kith/meta.json", meta_json_text(meta));
  dir_.write("app.kith/bytes.mtx", "%%MatrixMarket matrix coordinate integer general\n1 1 0\n");
  EXPECT_EQ(read_trace(dir_ / "app").bytes.ranks(), 1U);
  EXPECT_FALSE(read_trace(dir_ / "app").partial);
}

TEST_F(PartialTraceTest, FilesOfOthersAreErrors) {
  put("rank-000003.rows", FileText(3, 3, 77).text());
  expect_error([&] { read_trace(dir_ / "app"); }, {"rank-000003.rows", "a rank below 3"});
  std::filesystem::remove(dir_ / "app.kith.partial/rank-000003.rows");
  put("rank-1.rows", FileText(1, 3, 77).text());
  expect_error([&] { read_trace(dir_ / "app"); }, {"rank-1.rows"});
  std::filesystem::remove(dir_ / "app.kith.partial/rank-1.rows");
  put("rank-000001.rows", FileText(1, 3, 78).text());
  expect_error([&] { read_trace(dir_ / "app"); }, {"rank-000001.rows", "run"});
  put("rank-000001.rows", FileText(1, 3, 77).block(sent, 16, {{0, 1, {UINT64_MAX, 1, 0}}}).text());
  expect_error([&] { read_trace(dir_ / "app"); }, {"64"});
  put(trace_names::meta, R"({"ranks": 3, "partial": true, "run": "x"})");
  expect_error([&] { read_trace(dir_ / "app"); }, {"meta.json: /run", "hexadecimal"});
}

}  // namespace
}  // namespace kith
