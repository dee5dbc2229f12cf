// What the fuzz programs share: the input as a file, and what a reader may do with it.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "kith/error.hpp"
#include "kith/machine.hpp"

namespace kith::fuzz {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

/// A directory of this process in memory, for the input.
inline const std::filesystem::path& folder() {
  static const std::filesystem::path path = [] {
    const auto made = std::filesystem::path("/dev/shm") / ("kith-fuzz-" + std::to_string(getpid()));
    std::filesystem::create_directories(made);
    std::atexit([] { std::filesystem::remove_all(folder()); });
    return made;
  }();
  return path;
}

/// The input under this name.
inline std::filesystem::path file_of(const std::uint8_t* data, std::size_t size,
                                     const std::string& name) {
  const auto path = folder() / name;
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  return path;
}

/// A reader accepts its input or says in one line what is wrong with it; nothing else.
template <class Read>
void may_refuse(Read&& read) {
  try {
    read();
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::input, error.what());
    const std::string_view message = error.what();
    require(message.find('\n') == std::string_view::npos, "the message is one line");
    require(message.find("expected") != std::string_view::npos,
            "the message says what was expected");
  }
}

/// What every machine promises, looked at in some of its slots.
inline void check_machine(const Machine& machine) {
  require(machine.slots() > 0 && !machine.allowed().empty(), "a machine has slots");
  const std::uint64_t step = machine.allowed().size() / 8 + 1;
  for (std::uint64_t i = 0; i < machine.allowed().size(); i += step) {
    const Slot a = machine.allowed().at(i);
    require(a.value < machine.slots(), "allowed slots are slots");
    require(machine.node_of(a) < machine.nodes(), "a slot is on a node");
    require(machine.hops(a, a) == 0 && machine.cost(a, a) == 0, "no way is no distance");
    for (std::uint64_t j = 0; j < machine.allowed().size(); j += step) {
      const Slot b = machine.allowed().at(j);
      require(machine.hops(a, b) == machine.hops(b, a), "hops are symmetric");
      require(machine.cost(a, b) == machine.cost(b, a), "costs are symmetric");
    }
  }
}

}  // namespace kith::fuzz
