// EagerMap's algorithms 1 to 7 as the paper prints them: dense loops, line by line. Slow; the
// reference for lib/mapping/published/eagermap. (Line 17 of algorithm 1 starts at 1 in print; that would
// leave the first group out.) Algorithms 6 and 7 know no limit of elements; `room`, which is ours,
// adds it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kith::testing::paper {

using Matrix = std::vector<std::vector<std::int64_t>>;

struct Group {
  int id = 0;
  std::int64_t load = 0;
  std::vector<Group> elements;
};

/// Algorithm 3.
inline Group generate_group(const Matrix& comm, int total_elements, int group_elements,
                            std::vector<int>& chosen, const std::vector<Group>& previous_groups) {
  Group group;
  std::vector<int> winners(static_cast<std::size_t>(group_elements));
  for (int i = 0; i < group_elements; i = i + 1) {
    std::int64_t w_max = -1;
    int winner = -1;
    for (int j = 0; j < total_elements; j = j + 1) {
      if (chosen[j] == 0) {
        std::int64_t w = 0;
        for (int k = 0; k < i; k = k + 1) w = w + comm[j][winners[k]];
        if (w > w_max) {
          w_max = w;
          winner = j;
        }
      }
    }
    chosen[winner] = 1;
    winners[i] = winner;
    group.elements.push_back(previous_groups[winner]);
  }
  return group;
}

/// Algorithm 2.
inline std::vector<Group> generate_groups_for_level(const Matrix& comm, int n_elements,
                                                    const std::vector<Group>& previous_groups,
                                                    int available_groups) {
  std::vector<Group> groups;
  const int n_groups = std::min(n_elements, available_groups);
  const int el_per_group = n_elements / n_groups;
  int leftover = n_elements % n_groups;
  std::vector<int> chosen(static_cast<std::size_t>(n_elements), 0);
  int gi = 0;
  int in_group = 0;
  for (int i = 0; i < n_elements; i = i + in_group) {
    in_group = el_per_group;
    if (leftover > 0) {
      in_group = in_group + 1;
      leftover = leftover - 1;
    }
    Group group = generate_group(comm, n_elements, in_group, chosen, previous_groups);
    group.id = gi;
    groups.push_back(group);
    gi = gi + 1;
  }
  return groups;
}

/// Algorithm 7. A group must take `at_least` elements and has room for `room`.
inline Group lb_generate_group(const Matrix& comm, int total_elements, std::vector<int>& chosen,
                               const std::vector<Group>& previous_groups, double load_threshold,
                               int done, int at_least, int room) {
  Group group;
  std::vector<int> winners;
  for (int i = 0; done < total_elements && i < room &&
                  (static_cast<double>(group.load) < load_threshold || i < at_least);
       i = i + 1) {
    std::int64_t w_max = -1;
    int winner = -1;
    for (int j = 0; j < total_elements; j = j + 1) {
      if (chosen[j] == 0) {
        std::int64_t w = 0;
        for (int k = 0; k < i; k = k + 1) w = w + comm[j][winners[k]];
        if (w > w_max) {
          w_max = w;
          winner = j;
        }
      }
    }
    chosen[winner] = 1;
    winners.push_back(winner);
    group.elements.push_back(previous_groups[winner]);
    done = done + 1;
    group.load = group.load + previous_groups[winner].load;
  }
  return group;
}

/// Algorithm 6.
inline std::vector<Group> lb_generate_groups_for_level(const Matrix& comm, int n_elements,
                                                       const std::vector<Group>& previous_groups,
                                                       int available_groups, int room) {
  std::vector<Group> groups;
  std::vector<int> chosen(static_cast<std::size_t>(n_elements), 0);
  std::int64_t total_load = 0;
  for (int i = 0; i < n_elements; i = i + 1) total_load = total_load + previous_groups[i].load;
  int gi = 0;
  for (int i = 0; i < n_elements;) {
    const double load_threshold = static_cast<double>(total_load) / available_groups;
    const int at_least = std::max(1, n_elements - i - (available_groups - 1) * room);
    Group group = lb_generate_group(comm, n_elements, chosen, previous_groups, load_threshold, i,
                                    at_least, room);
    group.id = gi;
    total_load = total_load - group.load;
    available_groups = available_groups - 1;
    i = i + static_cast<int>(group.elements.size());
    groups.push_back(group);
    gi = gi + 1;
  }
  return groups;
}

/// Algorithm 4.
inline Matrix recreate_matrix(const Matrix& comm, const std::vector<Group>& groups, int n_groups) {
  Matrix recreated(static_cast<std::size_t>(n_groups),
                   std::vector<std::int64_t>(static_cast<std::size_t>(n_groups), 0));
  for (int i = 0; i < n_groups - 1; i = i + 1) {
    for (int j = i + 1; j < n_groups; j = j + 1) {
      std::int64_t w = 0;
      for (const Group& k : groups[i].elements) {
        for (const Group& z : groups[j].elements) w = w + comm[k.id][z.id];
      }
      recreated[i][j] = w;
      recreated[j][i] = w;
    }
  }
  return recreated;
}

/// A vertex of the topology tree; a processing unit has no children.
struct Hardware {
  int id = 0;
  std::vector<Hardware> linked;
};

/// Algorithm 5.
inline void map_groups_to_topology(const Hardware& hardware, const Group& group,
                                   std::vector<int>& map) {
  if (hardware.linked.empty()) {
    for (const Group& element : group.elements) map[element.id] = hardware.id;
  } else if (hardware.linked.size() > 1) {
    for (std::size_t i = 0; i < group.elements.size(); i = i + 1) {
      map_groups_to_topology(hardware.linked[i], group.elements[i], map);
    }
  } else {
    map_groups_to_topology(hardware.linked[0], group, map);
  }
}

inline Hardware topology(const std::vector<std::uint32_t>& arities, std::size_t level,
                         int& next_pu) {
  Hardware hardware;
  if (level == arities.size()) {
    hardware.id = next_pu++;
    return hardware;
  }
  for (std::uint32_t i = 0; i < arities[level]; ++i) {
    hardware.linked.push_back(topology(arities, level + 1, next_pu));
  }
  return hardware;
}

/// Algorithm 1: the PU of each task. `arities` top down, private levels (1) included. With `loads`,
/// one per task, with algorithm 6 in place of 2; `capacity` tasks then fit on a PU.
inline std::vector<int> map_algorithm(const Matrix& comm_init, int n_tasks,
                                      const std::vector<std::uint32_t>& arities,
                                      const std::vector<std::int64_t>& loads = {},
                                      int capacity = 0) {
  // execElInLevel: PUs first, then the shared levels bottom up.
  std::vector<int> exec_el_in_level{0};
  int objects = 1;
  for (const std::uint32_t arity : arities) {
    objects *= static_cast<int>(arity);
    if (arity > 1) exec_el_in_level.insert(exec_el_in_level.begin() + 1, objects);
  }
  if (exec_el_in_level.size() == 1) exec_el_in_level.push_back(1);  // one PU and nothing shared
  const int n_levels = static_cast<int>(exec_el_in_level.size());

  std::vector<Group> groups(static_cast<std::size_t>(n_tasks));
  for (int i = 0; i < n_tasks; i = i + 1) {
    groups[i].id = i;
    if (!loads.empty()) groups[i].load = loads[i];
  }
  int n_elements = n_tasks;
  Matrix comm = comm_init;
  for (int i = 1; i < n_levels; i = i + 1) {
    const std::vector<Group> previous_groups = groups;
    const int objects_below = i > 1 ? exec_el_in_level[i - 1] : 0;
    const int room = i > 1 ? objects_below / exec_el_in_level[i] : capacity;
    groups = loads.empty()
                 ? generate_groups_for_level(comm, n_elements, previous_groups, exec_el_in_level[i])
                 : lb_generate_groups_for_level(comm, n_elements, previous_groups,
                                                exec_el_in_level[i], room);
    const int n_groups = static_cast<int>(groups.size());
    // The elements of a group carry the ids of the level below, which the matrix is indexed by.
    if (i < n_levels - 1) comm = recreate_matrix(comm, groups, n_groups);
    n_elements = n_groups;
  }
  Group root;
  for (int i = 0; i < n_elements; i = i + 1) root.elements.push_back(groups[i]);
  int next_pu = 0;
  Hardware hardware = topology(arities, 0, next_pu);
  std::vector<int> map(static_cast<std::size_t>(n_tasks), -1);
  const bool nothing_shared = next_pu == 1;
  map_groups_to_topology(hardware, nothing_shared ? root.elements[0] : root, map);
  return map;
}

}  // namespace kith::testing::paper
