// Files come from strangers: whatever the bytes, a reader answers with a matrix or with an Error
// (input). Valid files of every kind are cut, changed and spliced at random places.
#include "io/format/trace_text.hpp"
#include "kith/io.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

/// One to three random changes.
std::string mutated(std::string text, Rng& rng) {
  static constexpr std::string_view bytes = "0123456789 \n\t,-+.eE%#x\"[]{}:\r\xff";
  const std::uint64_t changes = 1 + rng.below(3);
  for (std::uint64_t i = 0; i < changes && !text.empty(); ++i) {
    const std::size_t at = rng.below(text.size());
    const std::size_t from = rng.below(text.size());
    const char byte = bytes[rng.below(bytes.size())];
    switch (rng.below(6)) {
      case 0:
        text[at] = byte;
        break;
      case 1:
        text.insert(at, 1, byte);
        break;
      case 2:
        text.erase(at, 1 + rng.below(4));
        break;
      case 3:
        text.resize(at);
        break;
      case 4:
        text.insert(at, text.substr(from, 1 + rng.below(20)));
        break;
      default:
        text.insert(at, 1 + rng.below(12), '9');
    }
  }
  return text;
}

/// Reads many mutations; true when both outcomes occurred, so that the test means something.
template <class Read>
void expect_no_surprise(const TempDirectory& dir, const std::string& name, const std::string& valid,
                        Read read) {
  Rng rng(std::hash<std::string>{}(name));
  int good = 0;
  int refused = 0;
  for (int i = 0; i < 1500; ++i) {
    const std::string content = mutated(valid, rng);
    dir.write(name, content);
    try {
      read();
      ++good;
    } catch (const Error& e) {
      ++refused;
      ASSERT_EQ(e.kind(), ErrorKind::input) << e.what() << "\nof\n" << content;
      ASSERT_EQ(std::string_view(e.what()).find('\n'), std::string_view::npos) << e.what();
    } catch (const std::exception& e) {
      FAIL() << e.what() << "\nof\n" << content;
    }
  }
  EXPECT_GT(good, 0) << name;
  EXPECT_GT(refused, 0) << name;
}

TEST(Robustness, MutatedMatricesAreReadOrRefused) {
  const TempDirectory dir;
  const TrafficMatrix m = random_matrix(6, 20, 3);
  for (const auto& [name, format] : {std::pair{"a.mtx", MatrixFormat::mtx},
                                     {"a.csv", MatrixFormat::eagermap},
                                     {"a.txt", MatrixFormat::dense},
                                     {"a.graph", MatrixFormat::metis},
                                     {"a.grf", MatrixFormat::scotch},
                                     {"detected", MatrixFormat::dense}}) {
    write_matrix(dir / name, m, format);
    const auto path = dir / name;
    expect_no_surprise(dir, name, content_of(path), [&] { read_matrix(path); });
  }
  expect_no_surprise(dir, "b.mtx",
                     "%%MatrixMarket matrix array real symmetric\n2 2\n1.5e1\n20\n30.0\n",
                     [&] { read_matrix(dir / "b.mtx"); });
  expect_no_surprise(
      dir, "run/x.0.prof",
      "# POINT TO POINT\nE\t0\t0\t800 bytes\t1 msgs sent\t0,1\n# OSC\n# COLLECTIVES\n"
      "C\t0\t0\t5 bytes\t1 msgs sent\nD\tMPI_COMM_WORLD\tprocs: 0\n",
      [&] { read_matrix(dir / "run"); });
}

TEST(Robustness, MutatedMappingsAreReadOrRefused) {
  const TempDirectory dir;
  expect_no_surprise(dir, "m",
                     "# kith mapping ranks=4 topology=scotch:tleaf%202%202%201 hosts=-\n0 3\n1 2\n"
                     "2 1\n3 0\n",
                     [&] { read_mapping(dir / "m"); });
}

TEST(Robustness, MutatedTracesAreReadOrRefused) {
  const TempDirectory dir;
  TraceMetaText meta;
  meta.ranks = 2;
  meta.program = "app";
  meta.hosts = {"n1"};
  meta.phases = {{"solve", trace_names::bytes}};
  JobDescription machine;
  machine.hosts = {{"n1", 0, {"s0"}}};
  machine.network = {"a.net", {{"network", 9, 1.5, 2.5, 3e4}, {"switch"}}, {{"host", 3}}};
  machine.hardware = {{"feed", "<xml/>"}};
  machine.processes = {{1, 0, {0, 1, 4}}, {0, 0, {2, 3}}};
  dir.write("t.kith/host-0.xml", "<xml/>");
  dir.write("t.kith/bytes.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 3\n");
  const std::string meta_text = meta_json_text(meta);
  const std::string machine_text = machine_json_text(machine);
  dir.write("t.kith/machine.json", machine_text);
  expect_no_surprise(dir, "t.kith/meta.json", meta_text, [&] {
    read_trace(dir / "t");
    read_trace(dir / "t", {.messages = false, .phase = "solve"});
  });
  dir.write("t.kith/meta.json", meta_text);
  expect_no_surprise(dir, "t.kith/machine.json", machine_text, [&] { read_trace(dir / "t"); });
}

}  // namespace
}  // namespace kith
