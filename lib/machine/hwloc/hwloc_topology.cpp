#include "machine/hwloc/hwloc_topology.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "core/child_process.hpp"
#include "core/line_reader.hpp"
#include "kith/error.hpp"

namespace kith {

bool survives(const std::function<void()>& attempt) {
  const ChildEnd end = run_in_child(
      [&attempt](const SendToParent&) {
        constexpr rlim_t most_seconds = 60;
        const rlimit time{most_seconds, most_seconds};
        setrlimit(RLIMIT_CPU, &time);
        attempt();
      },
      [] { return false; });
  return end.how != ChildEnd::How::crashed;
}

namespace {

/// While it lives an environment variable has a value; then its own again.
class Setting {
 public:
  Setting(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value, 1);
  }
  ~Setting() {
    if (before_) setenv(name_, before_->c_str(), 1);
    if (!before_) unsetenv(name_);
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// Without hwloc's plugins: they tell of devices and displays, which we do not ask for, and the
/// libraries that they load take longer than all the rest.
bool init(hwloc_topology*& topology) {
  const Setting no_plugins("HWLOC_PLUGINS_PATH", "/nonexistent");
  return hwloc_topology_init(&topology) == 0;
}

HwlocTopology new_topology() {
  hwloc_topology* topology = nullptr;
  if (!init(topology)) throw environment_error("hwloc cannot start");
  return HwlocTopology(topology);
}

/// The number behind version=" in the root element; 0 without it (hwloc 1).
int xml_major_version(std::string_view xml) {
  const auto root = xml.find("<topology");
  if (root == std::string_view::npos) return 0;
  const std::string_view tag = xml.substr(root, xml.find('>', root) - root);
  constexpr std::string_view key = "version=\"";
  const auto version = tag.find(key);
  return version == std::string_view::npos ? 0 : std::atoi(tag.data() + version + key.size());
}

int library_major_version() {
  return static_cast<int>(hwloc_get_api_version() >> 16);
}

/// How hwloc treats XML while this lives. Its own parser: the one of libxml2 expands entities, and
/// hwloc crashes on a DOCTYPE that it did not write. Silence: what is wrong is said once, by us.
struct XmlSettings {
  Setting own_parser{"HWLOC_LIBXML", "0"};
  Setting silence{"HWLOC_HIDE_ERRORS", "2"};
};

std::string reason() {
  return errno == 0 ? "an unknown error" : std::strerror(errno);
}

bool load(hwloc_topology* topology, const std::string& xml) {
  const auto bytes = static_cast<int>(xml.size()) + 1;
  return hwloc_topology_set_xmlbuffer(topology, xml.c_str(), bytes) == 0 &&
         hwloc_topology_load(topology) == 0;
}

/// Loads and lets hwloc check itself, which ends the process where something contradicts itself.
void check_loading(const std::string& xml) {
  hwloc_topology* topology = nullptr;
  if (!init(topology)) return;
  if (load(topology, xml)) hwloc_topology_check(topology);
}

/// hwloc makes every object before it complains, in time that grows with the square of the arity: a
/// minute for a thousand cores in each of sixteen packages. Larger machines have `tree:`.
bool synthetic_is_sane(const std::string& text) {
  constexpr std::uint64_t max_objects = std::uint64_t{1} << 14;
  constexpr std::uint64_t max_arity = 256;
  std::uint64_t objects = 1;
  bool in_memory_attributes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') in_memory_attributes = true;
    if (text[i] == ')') in_memory_attributes = false;
    const bool starts_number = std::isdigit(static_cast<unsigned char>(text[i])) != 0 &&
                               (i == 0 || text[i - 1] == ':' || text[i - 1] == ' ');
    if (in_memory_attributes || !starts_number) continue;
    const auto count = std::strtoull(text.c_str() + i, nullptr, 10);
    if (count > max_arity || (objects *= std::max(count, 1ULL)) > max_objects) return false;
  }
  return true;
}

/// Of what has no length: a pipe, a device that never ends.
constexpr std::size_t max_stream_bytes = std::size_t{1} << 24;

Error not_synthetic(const std::string& text, const std::string& where) {
  return bad_input(where,
                   "an hwloc XML file or a synthetic description such as \"package:2 l3:2 core:4 "
                   "pu:2\" (16384 objects and 256 children at most)",
                   in_quotes(text));
}

}  // namespace

HwlocTopology load_this_system(unsigned long flags) {
  auto topology = new_topology();
  hwloc_topology_set_flags(topology.get(), flags);
  errno = 0;
  if (hwloc_topology_load(topology.get()) != 0) {
    throw environment_error("hwloc cannot read this machine's topology: " + reason());
  }
  return topology;
}

HwlocTopology load_own_xml(const std::string& xml, const std::string& where) {
  const XmlSettings settings;
  auto topology = new_topology();
  errno = 0;
  if (!load(topology.get(), xml)) {
    throw environment_error(where + ": hwloc refuses its own XML: " + reason());
  }
  return topology;
}

HwlocTopology load_xml(const std::string& xml, const std::string& where) {
  const std::string expected = "hwloc XML";
  if (xml.find("<topology") == std::string::npos || xml.find("<object") == std::string::npos) {
    throw bad_input(where, expected, xml.empty() ? "an empty file" : "another kind of text");
  }
  if (xml_major_version(xml) > library_major_version()) {
    throw bad_input(
        where,
        "hwloc XML of version " + std::to_string(library_major_version()) +
            " or older (lstopo --export-xml-flags v2 writes it)",
        "version " + std::to_string(xml_major_version(xml)) + ", written by a newer hwloc");
  }
  if (xml.size() > max_xml_bytes) {
    throw bad_input(where, "at most " + std::to_string(max_xml_bytes) + " bytes",
                    std::to_string(xml.size()));
  }
  const XmlSettings settings;
  // It still crashes on some damaged XML.
  if (!survives([&] { check_loading(xml); })) {
    throw bad_input(where, expected, "XML that makes hwloc crash (damaged)");
  }
  auto topology = new_topology();
  errno = 0;
  if (!load(topology.get(), xml)) {
    throw bad_input(
        where, expected,
        "XML that hwloc refuses (" + reason() + "; damaged, or written by a newer hwloc?)");
  }
  constexpr int max_depth = 255;
  if (hwloc_topology_get_depth(topology.get()) > max_depth) {
    throw bad_input(where, "at most 255 levels", "more");
  }
  return topology;
}

HwlocTopology load_synthetic_unchecked(const std::string& text, const std::string& where) {
  auto topology = new_topology();
  if (hwloc_topology_set_synthetic(topology.get(), text.c_str()) != 0 ||
      hwloc_topology_load(topology.get()) != 0) {
    throw not_synthetic(text, where);
  }
  return topology;
}

HwlocTopology load_synthetic(const std::string& text, const std::string& where) {
  if (!synthetic_is_sane(text)) throw not_synthetic(text, where);
  return load_synthetic_unchecked(text, where);
}

std::string xml_text(hwloc_topology* topology) {
  const XmlSettings settings;
  char* text = nullptr;
  int length = 0;
  if (hwloc_topology_export_xmlbuffer(topology, &text, &length, 0) != 0) {
    throw environment_error("hwloc cannot write a topology");
  }
  std::string copy(text);
  hwloc_free_xmlbuffer(topology, text);
  return copy;
}

CpuSet cpus_of(const hwloc_obj* object) {
  CpuSet cpus;
  for (int cpu = hwloc_bitmap_first(object->cpuset); cpu >= 0;
       cpu = hwloc_bitmap_next(object->cpuset, cpu)) {
    cpus.add(static_cast<std::uint32_t>(cpu), static_cast<std::uint32_t>(cpu));
  }
  return cpus;
}

std::vector<std::string> depth_names(hwloc_topology* topology) {
  std::vector<std::string> names;
  for (int depth = 0; depth < hwloc_topology_get_depth(topology); ++depth) {
    bool has_memory = true;
    bool one_subtype = true;
    const hwloc_obj* first = hwloc_get_obj_by_depth(topology, depth, 0);
    const std::string_view subtype = first->subtype == nullptr ? "" : first->subtype;
    for (const hwloc_obj* object = first; object != nullptr; object = object->next_cousin) {
      has_memory = has_memory && object->memory_arity > 0;
      one_subtype = one_subtype && object->subtype != nullptr && object->subtype == subtype;
    }
    if (first->type == HWLOC_OBJ_GROUP && one_subtype && !subtype.empty()) {
      names.emplace_back(subtype);
      continue;
    }
    if (first->type == HWLOC_OBJ_GROUP && has_memory) {
      names.emplace_back("numa");
      continue;
    }
    char name[64];
    hwloc_obj_type_snprintf(name, sizeof name, const_cast<hwloc_obj*>(first), 0);
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), [](char c) {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    names.push_back(std::move(lower));
  }
  return names;
}

std::string read_text_file(const std::string& name, std::size_t max_bytes,
                           const std::string& where) {
  std::ifstream file(name, std::ios::binary);
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(name, unknown)) {
    max_bytes = std::min(max_bytes, max_stream_bytes);
  }
  if (!file) throw bad_input(where, "a readable file", name + " (" + std::strerror(errno) + ")");
  std::string text;
  char block[1 << 16];
  while (file.read(block, sizeof block) || file.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(file.gcount()));
    if (text.size() > max_bytes) {
      throw bad_input(where, "a file of at most " + std::to_string(max_bytes) + " bytes",
                      "more in " + name);
    }
  }
  if (file.bad()) throw bad_input(where, "a readable file", name + " (a read error)");
  return text;
}

}  // namespace kith
