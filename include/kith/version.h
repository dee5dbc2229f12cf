/* The version of Kith that a program is compiled with. Included by <kith/kith.h>; no MPI is needed. */
#ifndef KITH_VERSION_H
#define KITH_VERSION_H

#define KITH_VERSION_MAJOR 0
#define KITH_VERSION_MINOR 1
#define KITH_VERSION_PATCH 0

/* One number that grows: 10000 x major + 100 x minor + patch. */
#define KITH_VERSION_NUMBER \
  (10000 * KITH_VERSION_MAJOR + 100 * KITH_VERSION_MINOR + KITH_VERSION_PATCH)

#endif
