#include "job/nic_locality.hpp"

#include <dirent.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "core/cpu_list.hpp"
#include "core/file_content.hpp"
#include "core/parse_number.hpp"

namespace kith::preload {
namespace {

/// A variable that lists devices, and what comes before each name.
struct Chooser {
  const char* variable;
  const char* prefix;
  char separator = ',';
};
constexpr Chooser choosers[] = {{"UCX_NET_DEVICES", ""},
                                {"FI_CXI_DEVICE_NAME", ""},
                                {"MV2_IBA_HCA", "", ':'},
                                {"OMPI_MCA_btl_openib_if_include", ""},
                                {"HFI_UNIT", "hfi1_"}};

/// A kind of devices, and the files, below a device, that say whether it works: PARENT/*/NAME.
struct DeviceClass {
  const char* name;
  const char* parent;
  const char* file;
  const char* working;  ///< how it begins then
};
constexpr DeviceClass device_classes[] = {{"infiniband", "ports", "state", "4"},
                                          {"cxi", "device/net", "operstate", "up"},
                                          {"net", "", "operstate", "up"}};

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(opendir(folder.c_str()), closedir);
  if (listing == nullptr) return names;
  while (const dirent* const entry = readdir(listing.get())) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

CpuSet cpus_near(const std::string& device) {
  return cpus_of_list(first_line_of(device + "/device/local_cpulist"));
}

bool works(const DeviceClass& kind, const std::string& device) {
  const std::string parent = device + '/' + kind.parent;
  std::vector<std::string> files;
  if (*kind.parent == '\0')
    files.push_back(device + '/' + kind.file);
  else
    for (const std::string& name : names_in(parent))
      files.push_back(parent + '/' + name + '/' + kind.file);
  return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
    return first_line_of(file).starts_with(kind.working);
  });
}

/// "mlx5_0:1,mlx5_2:1" without its ports; MVAPICH has colons between devices.
std::vector<std::string> devices_of(const Chooser& chooser, std::string_view list) {
  std::vector<std::string> names;
  for (const std::string_view item : split(list, chooser.separator)) {
    const std::string_view name = item.substr(0, item.find(':'));
    const bool is_name =
        !name.empty() && name.find('/') == std::string_view::npos && name[0] != '.';
    if (!is_name) return {};
    names.push_back(chooser.prefix + std::string(name));
  }
  return names;
}

/// The CPUs near any of `names`; empty where one of them is not listed.
CpuSet cpus_near_all(const std::string& folder, const std::vector<std::string>& names) {
  CpuSet all;
  for (const std::string& name : names) {
    const CpuSet near = cpus_near(folder + name);
    if (near.empty()) return {};
    all = united(all, near);
  }
  return all;
}

std::string others_near(const DeviceClass& kind, const std::string& folder,
                        const std::vector<std::string>& chosen, const CpuSet& cpus) {
  std::string found;
  for (const std::string& name : names_in(folder)) {
    const bool is_chosen = std::find(chosen.begin(), chosen.end(), name) != chosen.end();
    if (is_chosen || intersected(cpus_near(folder + name), cpus).empty()) continue;
    if (!works(kind, folder + name)) continue;
    found += (found.empty() ? "" : ",") + name;
  }
  return found;
}

}  // namespace

void find_nics(JobProcess& process, const std::string& classes) {
  for (const Chooser& chooser : choosers) {
    const char* const list = std::getenv(chooser.variable);
    if (list == nullptr) continue;
    const std::vector<std::string> names = devices_of(chooser, list);
    if (names.empty()) continue;
    for (const DeviceClass& kind : device_classes) {
      const std::string folder = classes + '/' + kind.name + '/';
      CpuSet near = cpus_near_all(folder, names);
      if (near.empty()) continue;
      process.nics = list;
      process.nic_cpus = std::move(near);
      process.near_nics = others_near(kind, folder, names, process.cpus);
      return;
    }
  }
}

}  // namespace kith::preload
