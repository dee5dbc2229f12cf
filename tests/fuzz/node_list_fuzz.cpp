// Node lists as the command line has them, and host files.
#include <set>

#include "fuzz.hpp"
#include "machine/network/node_list.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
#ifdef KITH_FILE
  const std::string text = kith::fuzz::file_of(data, size, "hosts");
#else
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.find('/') != std::string::npos) return 0;  // the name of a file
#endif
  kith::fuzz::may_refuse([&] {
    std::vector<std::string> names;
    for (const auto& node : kith::parse_node_list(text, "--nodes")) names.push_back(node.name);
    const auto again = kith::expand_hostlist(kith::compress_hostlist(names), "again");
    kith::fuzz::require(
        std::set(again.begin(), again.end()) == std::set(names.begin(), names.end()),
        "a list means the same when it is compressed");
  });
  return 0;
}
