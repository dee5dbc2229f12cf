// The mappers behind the registry, one file each.
#pragma once

#include "kith/mapper.hpp"

namespace kith {

const Mapper& identity_mapper();
const Mapper& random_mapper();
const Mapper& scatter_mapper();
const Mapper& compact_mapper();
const Mapper& balanced_mapper();
const Mapper& eagermap_mapper();
const Mapper& eagermap_load_mapper();
const Mapper& treematch_mapper();
const Mapper& choicemap_mapper();
const Mapper& topolb_mapper();
const Mapper& topolb_first_order_mapper();
const Mapper& topolb_third_order_mapper();
const Mapper& topocentlb_mapper();
const Mapper& geom_mapper();
const Mapper& gsearch_mapper();
const Mapper& gsearch_rank_mapper();
const Mapper& gsearch_best_mapper();
const Mapper& mpipp_mapper();
const Mapper& scotch_mapper();
const Mapper& kith_mapper();
const Mapper& auto_mapper();

}  // namespace kith
