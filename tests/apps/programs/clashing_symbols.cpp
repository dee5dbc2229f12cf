// An application with symbols that a tool in the same process might use as well, all of them
// exported: the same names with other meanings, another layout of kith::Error, and fmt.
#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

// Were one of these taken for the tool's own, the program would end here.
extern "C" {
#define KITH_TEST_OWN(name)                                 \
  int name() {                                              \
    std::fprintf(stderr, "somebody called my " #name "\n"); \
    std::abort();                                           \
  }
KITH_TEST_OWN(bind_mpi)
KITH_TEST_OWN(gather)
KITH_TEST_OWN(record)
KITH_TEST_OWN(record_send)
KITH_TEST_OWN(count_message)
KITH_TEST_OWN(write_trace)
KITH_TEST_OWN(generate)
KITH_TEST_OWN(real_world)
KITH_TEST_OWN(SCOTCH_graphMap)
KITH_TEST_OWN(SCOTCH_errorPrint)
int world_comm = 42;
int initialised = 43;
int depth = 44;
int enabled = 0;
}

namespace kith {
// Not the layout that the tool's own has.
class Error : public std::logic_error {
 public:
  explicit Error(const std::string& text) : std::logic_error("mine: " + text), room_(100, 'x') {}
  const char* what() const noexcept override { return room_.empty() ? "" : logic_error::what(); }
  virtual int extra() const { return 7; }

 private:
  std::vector<char> room_;
};
Error bad_input(std::string_view, std::string_view, std::string_view) {
  std::fputs("somebody called my kith::bad_input\n", stderr);
  std::abort();
}
class TrafficMatrix {
 public:
  virtual ~TrafficMatrix() { std::puts("my own TrafficMatrix goes"); }
};
}  // namespace kith

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::string text;
  try {
    throw kith::Error(fmt::format("rank {:03d} of {}", rank, size));
  } catch (const kith::Error& error) {
    text = fmt::format("{} {}", error.what(), error.extra());
  }
  text.resize(40, '.');
  std::vector<char> all(static_cast<std::size_t>(40 * size));
  MPI_Gather(text.data(), 40, MPI_CHAR, all.data(), 40, MPI_CHAR, 0, MPI_COMM_WORLD);
  int neighbour = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &neighbour, 1, MPI_INT,
               (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int sum = 0;
  MPI_Reduce(&neighbour, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    const kith::TrafficMatrix mine;
    for (int r = 0; r < size; ++r) fmt::print("{}\n", std::string(&all[40UL * r], 40));
    fmt::print("{} {} {} {} {}\n", sum, world_comm, initialised, depth, enabled);
  }
  MPI_Finalize();
  return world_comm == 42 && initialised == 43 && depth == 44 && enabled == 0 ? 0 : 1;
}
