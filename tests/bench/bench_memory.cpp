// Memory that the counters take per peer ever spoken to. Prints a table: peers, bytes of touched
// memory per peer.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "record/peer_table.hpp"

namespace {

using kith::record::PeerTable;

constexpr std::size_t least_peers = 2'000'000;  // in all tables of a row: pages hardly matter then

std::size_t resident_bytes() {
  unsigned long total = 0;
  unsigned long resident = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr || std::fscanf(file, "%lu %lu", &total, &resident) != 2) std::abort();
  std::fclose(file);
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Ranks that far apart are not neighbours in any table.
std::uint32_t peer_number(std::uint32_t i) {
  return i * 977;
}

double bytes_per_peer(std::uint32_t peers) {
  const std::size_t tables = std::max<std::size_t>(least_peers / peers, 1);
  std::vector<PeerTable*> all(tables);
  for (PeerTable*& table : all) {
    table = static_cast<PeerTable*>(std::calloc(1, sizeof(PeerTable)));
    if (table == nullptr) std::abort();
    *reinterpret_cast<volatile char*>(table) = 0;  // touched before the counting starts
  }
  const std::size_t before = resident_bytes();
  for (PeerTable* const table : all) {
    for (std::uint32_t i = 0; i < peers; ++i) {
      table->find_or_add(peer_number(i), kith::RowDirection::sent)->add(0, 1);
    }
  }
  return static_cast<double>(resident_bytes() - before) / static_cast<double>(tables * peers);
}

}  // namespace

int main() {
  std::printf("%10s %15s\n", "peers", "bytes per peer");
  for (const std::uint32_t peers : {6U, 26U, 100U, 1'000U, 10'000U, 100'000U, 1'000'000U}) {
    std::fflush(stdout);
    if (fork() == 0) {  // a heap of its own
      std::printf("%10u %15.1f\n", peers, bytes_per_peer(peers));
      std::fflush(stdout);
      _exit(0);
    }
    while (wait(nullptr) > 0) {
    }
  }
  return 0;
}
