// Of all mappings that are as good as one, that which leaves most ranks where they are.
#pragma once

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith {

/// `mapping` turned by symmetries of the machine, which leave every distance between ranks as it
/// is, so that many ranks come to lie where options.from has them: level by level of a tree, or of
/// the nodes of a network, contents of equally shaped objects change places (exactly the best
/// choice for objects of few children, the heaviest first for others); a torus, mesh or hypercube
/// that is used as a whole is also shifted, reflected and turned. Ranks of options.fixed must be in
/// place and stay there. Never fewer ranks stay than before. Precondition: options.from is set.
/// O(ranks log ranks) for each level, some 50 times O(ranks) on grids.
Mapping align(const MapTask& problem, Mapping mapping);

}  // namespace kith
