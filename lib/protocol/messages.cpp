#include "protocol/messages.hpp"

#include <cstring>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kith {

std::uint64_t Unpacker::get_number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(get<char>());
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
  throw std::runtime_error("a message between processes holds no number where one belongs");
}

std::string_view Unpacker::get_bytes(std::uint64_t size) {
  if (size > rest_.size()) throw std::runtime_error("a message between processes was cut short");
  const std::string_view bytes = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return bytes;
}

}  // namespace kith

namespace kith::protocol {
namespace {

constexpr std::string_view magic = "kith";

[[noreturn]] void refuse(const std::string& why) {
  throw std::runtime_error("a message between libkith.so and kith-engine " + why);
}

/// The parts of each struct: pack() and unpack() go by this one list.
template <class Struct>
struct Parts;

template <>
struct Parts<Problem> {
  static auto of(auto& m) { return std::tie(m.text); }
};
template <>
struct Parts<JobHardware> {
  static auto of(auto& m) { return std::tie(m.digest, m.xml); }
};
template <>
struct Parts<HardwareAnswer> {
  static auto of(auto& m) { return std::tie(m.hardware, m.cpus); }
};
template <>
struct Parts<HardwareRequest> {
  static auto of(auto& m) { return std::tie(m.cpus); }
};
template <>
struct Parts<LevelCost> {
  static auto of(auto& m) {
    return std::tie(m.level, m.cost, m.latency_us, m.megabytes_per_s, m.burst_bytes, m.overhead_us,
                    m.shared_megabytes_per_s, m.eager_bytes);
  }
};
template <>
struct Parts<JobNetwork> {
  static auto of(auto& m) { return std::tie(m.source, m.levels, m.host_levels); }
};
template <>
struct Parts<JobHost> {
  static auto of(auto& m) { return std::tie(m.name, m.hardware, m.switches); }
};
template <>
struct Parts<JobProcess> {
  static auto of(auto& m) {
    return std::tie(m.rank, m.host, m.cpus, m.threads, m.gpus, m.gpu_cpus, m.nics, m.nic_cpus,
                    m.near_nics, m.end_cpus);
  }
};
template <>
struct Parts<JobDescription> {
  static auto of(auto& m) { return std::tie(m.network, m.hosts, m.hardware, m.processes); }
};
template <>
struct Parts<NetworkAnswer> {
  static auto of(auto& m) { return std::tie(m.network, m.switches, m.note); }
};
template <>
struct Parts<NetworkRequest> {
  static auto of(auto& m) { return std::tie(m.file, m.hosts, m.addresses, m.patterns); }
};
template <>
struct Parts<CartesianTopology> {
  static auto of(auto& m) { return std::tie(m.dims, m.periods, m.ranks); }
};
template <>
struct Parts<Situation> {
  static auto of(auto& m) {
    return std::tie(m.ranks, m.algorithm, m.topology, m.launcher_ranks, m.min_gain, m.keep_rank0,
                    m.keep_local, m.has_state, m.state_bytes, m.remaining, m.job);
  }
};
template <>
struct Parts<ReorderAnswer> {
  static auto of(auto& m) {
    return std::tie(m.threads, m.apply, m.refused, m.reason, m.algorithm, m.cost_before,
                    m.cost_after, m.moved, m.moving_cost, m.saving, m.new_rank);
  }
};
template <>
struct Parts<ReorderRequest> {
  static auto of(auto& m) { return std::tie(m.situation, m.source, m.traffic, m.grid, m.program); }
};
template <>
struct Parts<Program> {
  static auto of(auto& m) { return std::tie(m.ranks, m.path, m.build, m.command); }
};
template <>
struct Parts<BegunRun> {
  static auto of(auto& m) { return std::tie(m.home, m.predicted, m.timeline); }
};
template <>
struct Parts<AutoBeginAnswer> {
  static auto of(auto& m) { return std::tie(m.order, m.is_kept, m.begun, m.warnings); }
};
template <>
struct Parts<AutoBeginRequest> {
  static auto of(auto& m) { return std::tie(m.situation, m.programs, m.is_check); }
};
template <>
struct Parts<AutoEndAnswer> {
  static auto of(auto& m) { return std::tie(m.line); }
};
template <>
struct Parts<AutoEndRequest> {
  static auto of(auto& m) {
    return std::tie(m.situation, m.programs, m.begun, m.seconds, m.traffic, m.reason, m.new_rank,
                    m.timeline);
  }
};

template <>
struct Parts<BindingAnswer> {
  static auto of(auto& m) { return std::tie(m.faults); }
};
template <>
struct Parts<BindingRequest> {
  static auto of(auto& m) { return std::tie(m.job); }
};
template <>
struct Parts<ThreadBindingAnswer> {
  static auto of(auto& m) { return std::tie(m.cpus, m.policy); }
};
template <>
struct Parts<ThreadBindingRequest> {
  static auto of(auto& m) {
    return std::tie(m.policy, m.whole_cores, m.threads, m.cpus, m.processes, m.position, m.matrix);
  }
};

template <class T>
constexpr bool is_vector = false;
template <class Item>
constexpr bool is_vector<std::vector<Item>> = true;
template <class T>
constexpr bool is_optional = false;
template <class Value>
constexpr bool is_optional<std::optional<Value>> = true;

static_assert(std::has_unique_object_representations_v<TrafficCell>);

template <class T>
void put(Packer& packer, const T& value) {
  if constexpr (std::is_unsigned_v<T>) {
    packer.put_number(value);
  } else if constexpr (std::is_same_v<T, double>) {
    packer.put(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    packer.put_text(value);
  } else if constexpr (std::is_same_v<T, CpuSet>) {
    pack_cpus(packer, value);
  } else if constexpr (std::is_same_v<T, std::vector<TrafficCell>>) {
    packer.put_number(value.size());
    packer.put_bytes(
        {reinterpret_cast<const char*>(value.data()), value.size() * sizeof(TrafficCell)});
  } else if constexpr (is_vector<T>) {
    packer.put_number(value.size());
    for (const typename T::value_type& item : value) put(packer, item);
  } else if constexpr (is_optional<T>) {
    put(packer, value.has_value());
    if (value) put(packer, *value);
  } else {
    std::apply([&](const auto&... part) { (put(packer, part), ...); }, Parts<T>::of(value));
  }
}

template <class Number>
Number get_number(Unpacker& unpacker) {
  const std::uint64_t number = unpacker.get_number();
  if (number > std::uint64_t{static_cast<Number>(-1)}) refuse("holds a number that is too large");
  return static_cast<Number>(number);
}

template <class T>
void get(Unpacker& unpacker, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    const std::uint64_t number = unpacker.get_number();
    if (number > 1) refuse("holds a number where yes or no belongs");
    value = number == 1;
  } else if constexpr (std::is_unsigned_v<T>) {
    value = get_number<T>(unpacker);
  } else if constexpr (std::is_same_v<T, double>) {
    value = unpacker.get<double>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = unpacker.get_text();
  } else if constexpr (std::is_same_v<T, CpuSet>) {
    value = unpack_cpus(unpacker);
  } else if constexpr (std::is_same_v<T, std::vector<TrafficCell>>) {
    const std::uint64_t count = unpacker.get_number();
    if (count > unpacker.remaining() / sizeof(TrafficCell)) refuse("was cut short");
    append_cells(value, unpacker.get_bytes(count * sizeof(TrafficCell)));
  } else if constexpr (is_vector<T>) {
    // Items are made one by one, each when its bytes are there.
    for (std::uint64_t left = unpacker.get_number(); left > 0; --left) {
      typename T::value_type item{};
      get(unpacker, item);
      value.push_back(std::move(item));
    }
  } else if constexpr (is_optional<T>) {
    bool is_there = false;
    get(unpacker, is_there);
    if (is_there) get(unpacker, value.emplace());
  } else {
    std::apply([&](auto&... part) { (get(unpacker, part), ...); }, Parts<T>::of(value));
  }
}

}  // namespace

void append_cells(std::vector<TrafficCell>& cells, std::string_view bytes) {
  if (bytes.size() % sizeof(TrafficCell) != 0) refuse("was cut short");
  if (bytes.empty()) return;
  const std::size_t before = cells.size();
  cells.resize(before + bytes.size() / sizeof(TrafficCell));
  std::memcpy(cells.data() + before, bytes.data(), bytes.size());
}

void pack_cpus(Packer& packer, const CpuSet& cpus) {
  packer.put_number(cpus.ranges().size());
  std::uint32_t before = 0;
  for (const CpuSet::Range& range : cpus.ranges()) {
    packer.put_number(range.first - before);
    packer.put_number(range.last - range.first);
    before = range.last;
  }
}

CpuSet unpack_cpus(Unpacker& unpacker) {
  CpuSet cpus;
  std::uint64_t last = 0;
  for (std::uint64_t left = unpacker.get_number(); left > 0; --left) {
    const std::uint64_t first = last + get_number<std::uint32_t>(unpacker);
    const bool is_above = cpus.empty() || first > last;
    last = first + get_number<std::uint32_t>(unpacker);
    if (last > UINT32_MAX || !is_above) refuse("holds CPUs that are not in order");
    cpus.add(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));
  }
  return cpus;
}

Header unpack_header(std::string_view bytes) {
  if (bytes.size() < Header::size) refuse("was cut short");
  Unpacker unpacker(bytes);
  if (unpacker.get_bytes(magic.size()) != magic) refuse("does not begin like one");
  Header header;
  header.version = unpacker.get<std::uint16_t>();
  header.kind = Kind{unpacker.get<std::uint16_t>()};
  header.seconds = unpacker.get<std::uint32_t>();
  header.body = unpacker.get<std::uint64_t>();
  if (header.version != version && header.kind != Kind::problem) {
    refuse("is of version " + std::to_string(header.version) + " of the protocol, not " +
           std::to_string(version) + ": they are of different builds of Kith");
  }
  return header;
}

template <class Message>
std::string pack(const Message& message, std::uint32_t seconds) {
  Packer packer;
  packer.put_bytes(magic);
  packer.put(version);
  packer.put(Message::kind);
  packer.put(seconds);
  const std::size_t place_of_size = packer.size();
  packer.put(std::uint64_t{0});
  put(packer, message);
  std::string bytes = packer.take();
  const std::uint64_t body = bytes.size() - Header::size;
  std::memcpy(bytes.data() + place_of_size, &body, sizeof body);
  return bytes;
}

template <class Message>
Message unpack(std::string_view bytes) {
  const Header header = unpack_header(bytes);
  if (header.kind != Message::kind) {
    refuse("is of kind " + std::to_string(static_cast<unsigned>(header.kind)) + ", not " +
           std::to_string(static_cast<unsigned>(Message::kind)));
  }
  bytes.remove_prefix(Header::size);
  if (header.body > bytes.size()) refuse("was cut short");
  if (header.body < bytes.size()) refuse("is longer than it says");
  Unpacker unpacker(bytes);
  Message message;
  get(unpacker, message);
  if (!unpacker.done()) refuse("is longer than its parts");
  return message;
}

#define KITH_MESSAGE(Message)                               \
  template std::string pack(const Message&, std::uint32_t); \
  template Message unpack(std::string_view);
KITH_MESSAGE(Problem)
KITH_MESSAGE(HardwareRequest)
KITH_MESSAGE(HardwareAnswer)
KITH_MESSAGE(NetworkRequest)
KITH_MESSAGE(NetworkAnswer)
KITH_MESSAGE(ReorderRequest)
KITH_MESSAGE(ReorderAnswer)
KITH_MESSAGE(AutoBeginRequest)
KITH_MESSAGE(AutoBeginAnswer)
KITH_MESSAGE(AutoEndRequest)
KITH_MESSAGE(BindingAnswer)
KITH_MESSAGE(BindingRequest)
KITH_MESSAGE(AutoEndAnswer)
KITH_MESSAGE(ThreadBindingRequest)
KITH_MESSAGE(ThreadBindingAnswer)
#undef KITH_MESSAGE

}  // namespace kith::protocol
