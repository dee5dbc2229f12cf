/* Groups, made from communicators, windows and files of the world. */
#include "conformance.h"

static void tell_group(const char* what, MPI_Group group) {
  MPI_Group world;
  int members, place, first = -1, last = -1;
  MPI_Group_size(group, &members);
  MPI_Group_rank(group, &place);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  if (members > 0) {
    const int ends[2] = {0, members - 1};
    int there[2];
    MPI_Group_translate_ranks(group, 2, ends, world, there);
    first = there[0];
    last = there[1];
  }
  tell("%s: %d of %d, from %d to %d", what, place == MPI_UNDEFINED ? -1 : place, members, first,
       last);
  MPI_Group_free(&world);
}

static void made_from(MPI_Group world) {
  MPI_Group low, odd, made;
  int ranges[2][3] = {{0, size / 2, 1}, {size - 1, size - 1, 1}}, odds[1][3] = {{1, size - 1, 2}};
  int two[2] = {2, 0};
  MPI_Group_range_incl(world, 2, ranges, &low);
  MPI_Group_range_incl(world, 1, odds, &odd);
  tell_group("low half and last", low);
  tell_group("odd", odd);
  MPI_Group_union(odd, low, &made);
  tell_group("union", made);
  MPI_Group_free(&made);
  MPI_Group_intersection(odd, low, &made);
  tell_group("intersection", made);
  MPI_Group_free(&made);
  MPI_Group_difference(low, odd, &made);
  tell_group("difference", made);
  MPI_Group_free(&made);
  MPI_Group_incl(world, 2, two, &made);
  tell_group("two and zero", made);
  MPI_Group_free(&made);
  MPI_Group_excl(world, 2, two, &made);
  tell_group("all but these", made);
  MPI_Group_free(&made);
  MPI_Group_range_excl(world, 1, odds, &made);
  tell_group("even", made);
  MPI_Group_free(&made);
  MPI_Group_free(&low);
  MPI_Group_free(&odd);
}

static const char* name_of(int relation) {
  if (relation == MPI_IDENT) return "same";
  return relation == MPI_SIMILAR ? "similar" : "unequal";
}

static void compared(MPI_Group world) {
  MPI_Group other;
  MPI_Comm copy;
  int relation, self = 0, there;
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &copy);
  MPI_Comm_group(copy, &other);
  MPI_Group_compare(world, other, &relation);
  tell("of a copy: %s", name_of(relation));
  MPI_Group_free(&other);
  MPI_Comm_free(&copy);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &copy);
  MPI_Comm_group(copy, &other);
  MPI_Group_compare(world, other, &relation);
  MPI_Group_translate_ranks(other, 1, &self, world, &there);
  tell("of the world backwards: %s, first is %d", name_of(relation), there);
  MPI_Group_free(&other);
  MPI_Comm_free(&copy);
  MPI_Comm_group(MPI_COMM_SELF, &other);
  MPI_Group_compare(world, other, &relation);
  MPI_Group_translate_ranks(other, 1, &self, world, &there);
  tell("of self: %s, that is %d", name_of(relation), there);
  MPI_Group_free(&other);
}

static void of_objects(void) {
  MPI_Group group;
  MPI_Win window;
  MPI_File file;
  int cell;
  MPI_Win_create(&cell, sizeof cell, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_get_group(window, &group);
  tell_group("of a window", group);
  MPI_Group_free(&group);
  MPI_Win_free(&window);
  MPI_File_open(MPI_COMM_WORLD, "conformance.groups",
                MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_get_group(file, &group);
  tell_group("of a file", group);
  MPI_Group_free(&group);
  MPI_File_close(&file);
}

void groups(void) {
  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  tell_group("world", world);
  tell_group("empty", MPI_GROUP_EMPTY);
  made_from(world);
  compared(world);
  of_objects();
  MPI_Group_free(&world);
}
