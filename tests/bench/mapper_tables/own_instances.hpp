#pragma once

#include <vector>

#include "mapper_tables/instance.hpp"

namespace kith::bench {

/// Instances unlike those that others were measured on, by number of ranks: odd sizes, unequal and
/// half-used nodes, networks, mixtures of patterns, weights with heavy tails, meshes.
std::vector<Instance> own_instances();

}  // namespace kith::bench
