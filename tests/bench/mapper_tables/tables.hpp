// The tables of bench_mappers, one file each.
#pragma once

#include "mapper_tables/options.hpp"

namespace kith::bench {

/// What others reached, from the literature of this project, beside Scotch and Kith in this run.
void print_reference_table(const Options& options);
/// Instances of Kith's own making: the best of the others beside Kith.
void print_own_table(const Options& options);
/// Time, memory and quality by size; draws them where options.plot says so. Throws Error
/// (environment) where the picture cannot be written.
void print_scaling_table(const Options& options);
/// Each mapper on 3D stencils.
void print_stencil_table(const Options& options);
/// How long the busiest link is busy, by Kith and by a long annealing.
void print_links_table(const Options& options);
/// Random members of families whose answer lies in their structure (structure_families/).
void print_structures_table(const Options& options);

}  // namespace kith::bench
