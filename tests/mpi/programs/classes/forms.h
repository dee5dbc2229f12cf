/* FORMS(section, Name, name, arguments...): three sections from one collective: MPI_Name, MPI_Iname
 * and MPI_Name_init (in Open MPI 4 MPIX_Name_init) started twice. The arguments are those up to the
 * communicator and the communicator. SECTIONS(section): their lines in a table. */
#ifndef KITH_TEST_FORMS_H
#define KITH_TEST_FORMS_H

#include "../../../support/persistent.h"
#include "sections.h"

static inline void start_twice(MPI_Request request) {
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
}

/* clang-format off */
#define FORMS(section, Name, name, ...)                          \
  static void section(void) { MPI_##Name(__VA_ARGS__); }         \
  static void section##_nonblocking(void) {                      \
    MPI_Request request;                                         \
    MPI_I##name(__VA_ARGS__, &request);                          \
    MPI_Wait(&request, MPI_STATUS_IGNORE);                       \
  }                                                              \
  static void section##_persistent(void) {                       \
    MPI_Request request;                                         \
    PERSISTENT(Name)(__VA_ARGS__, MPI_INFO_NULL, &request);      \
    start_twice(request);                                        \
  }

#define SECTIONS(section)                                        \
  {#section, section},                                           \
  {#section " nonblocking", section##_nonblocking},              \
  {#section " persistent", section##_persistent}
/* clang-format on */

/* The arguments of the v and w variants: a unit from everybody to everybody. */
extern const int counts[ranks], int_at[ranks], byte_at[ranks];
extern const MPI_Aint far_at[ranks];
extern MPI_Datatype types[ranks];

#endif
