#include "job/gpu_locality.hpp"

#include <dirent.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/cpu_list.hpp"
#include "core/file_content.hpp"

namespace kith::preload {
namespace {

/// A variable that lists devices, and the maker's number on the PCI bus.
struct Maker {
  const char* variable;
  unsigned vendor;
};
constexpr Maker makers[] = {{"CUDA_VISIBLE_DEVICES", 0x10de},
                            {"ROCR_VISIBLE_DEVICES", 0x1002},
                            {"HIP_VISIBLE_DEVICES", 0x1002},
                            {"ZE_AFFINITY_MASK", 0x8086}};

unsigned long number_in(const std::string& path) {
  return std::strtoul(file_content(path).c_str(), nullptr, 16);
}

/// Numbers with commas between them, "2" or "0,3"; parts of devices ("1.0") count as the device.
std::optional<std::vector<std::uint32_t>> numbers_of(std::string_view list) {
  std::vector<std::uint32_t> numbers;
  while (!list.empty()) {
    const std::string_view item = list.substr(0, list.find(','));
    list.remove_prefix(std::min(item.size() + 1, list.size()));
    const std::string_view number = item.substr(0, item.find('.'));
    constexpr std::size_t most_digits = 4;
    if (number.empty() || number.size() > most_digits ||
        number.find_first_not_of("0123456789") != std::string_view::npos)
      return std::nullopt;
    numbers.push_back(static_cast<std::uint32_t>(std::stoul(std::string(number))));
  }
  if (numbers.empty()) return std::nullopt;
  return numbers;
}

/// Intel's numbers are those of tiles, unless devices are asked for.
bool counts_tiles(const Maker& maker) {
  constexpr unsigned intel = 0x8086;
  const char* const hierarchy = std::getenv("ZE_FLAT_DEVICE_HIERARCHY");
  return maker.vendor == intel &&
         (hierarchy == nullptr || std::string_view(hierarchy) != "COMPOSITE");
}

/// Displays and processing accelerators.
bool is_gpu(unsigned long device_class) {
  constexpr unsigned long display = 0x03;
  constexpr unsigned long accelerator = 0x12;
  const unsigned long base = device_class >> 16U;
  return base == display || base == accelerator;
}

/// The folders of the maker's devices, in the order of their addresses.
std::vector<std::string> devices_of(const Maker& maker, const std::string& folder) {
  std::vector<std::string> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(opendir(folder.c_str()), closedir);
  if (listing == nullptr) return found;
  while (const dirent* const entry = readdir(listing.get())) {
    const std::string path = folder + "/" + entry->d_name;
    if (entry->d_name[0] == '.' || number_in(path + "/vendor") != maker.vendor) continue;
    if (is_gpu(number_in(path + "/class"))) found.push_back(path);
  }
  std::sort(found.begin(), found.end());
  return found;
}

CpuSet cpus_near(const std::vector<std::uint32_t>& numbers,
                 const std::vector<std::string>& devices) {
  CpuSet cpus;
  for (const std::uint32_t number : numbers) {
    if (number >= devices.size()) return {};
    const CpuSet near = cpus_of_list(first_line_of(devices[number] + "/local_cpulist"));
    if (near.empty()) return {};
    cpus = united(cpus, near);
  }
  return cpus;
}

}  // namespace

void find_gpus(JobProcess& process, const std::string& devices) {
  for (const Maker& maker : makers) {
    const char* const list = std::getenv(maker.variable);
    if (list == nullptr || *list == '\0' || counts_tiles(maker)) continue;
    const auto numbers = numbers_of(list);
    if (!numbers) continue;
    process.gpus = list;
    process.gpu_cpus = cpus_near(*numbers, devices_of(maker, devices));
    return;
  }
}

}  // namespace kith::preload
