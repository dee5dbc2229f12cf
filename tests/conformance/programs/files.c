/* Files opened by the world: whose data lies where, and who comes first at a shared pointer. */
#include "conformance.h"

static const char name[] = "conformance.file";

static MPI_File opened(int mode) {
  MPI_File file;
  const int code = MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
  if (code != MPI_SUCCESS) tell("no file: %s", class_of(code));
  return file;
}

/* Everything in the file, as rank 0 reads it. */
static void tell_contents(const char* what) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    int numbers[128], count = 0;
    long sum = 0;
    FILE* file = fopen(name, "rb");
    if (file != NULL) {
      count = (int)fread(numbers, sizeof(int), 128, file);
      fclose(file);
    }
    for (int i = 0; i < count; ++i) sum += (long)(i + 1) * numbers[i];
    tell("%s: %d numbers, first %d, last %d, sum %ld", what, count, count > 0 ? numbers[0] : -1,
         count > 0 ? numbers[count - 1] : -1, sum);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void at_places(void) {
  const MPI_Offset step = sizeof(int);
  int mine = 10 + rank, got[4] = {-1, -1, -1, -1};
  MPI_Status status;
  MPI_Request requests[2];
  MPI_File file = opened(MPI_MODE_CREATE | MPI_MODE_RDWR);
  MPI_File_write_at_all(file, rank * step, &mine, 1, MPI_INT, &status);
  MPI_File_iwrite_at(file, (size + rank) * step, &mine, 1, MPI_INT, &requests[0]);
  MPI_File_iwrite_at_all(file, (2 * size + rank) * step, &mine, 1, MPI_INT, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_File_write_at(file, (3 * size + rank) * step, &mine, 1, MPI_INT, &status);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_read_at(file, right(1) * step, &got[0], 1, MPI_INT, &status);
  MPI_File_read_at_all(file, right(2) * step, &got[1], 1, MPI_INT, &status);
  MPI_File_iread_at(file, (size + right(3)) * step, &got[2], 1, MPI_INT, &requests[0]);
  MPI_File_iread_at_all(file, (2 * size + left(1)) * step, &got[3], 1, MPI_INT, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  tell("at places: %d %d %d %d", got[0], got[1], got[2], got[3]);
  MPI_File_close(&file);
  tell_contents("at places");
}

/* Ranks take turns in a file of whole rounds: a vector of every size-th number is each one's view.
 */
static void in_views(void) {
  int mine[2] = {100 + rank, 200 + rank}, got[2] = {-1, -1};
  MPI_Datatype every;
  MPI_Aint extent;
  MPI_Offset place, byte, begin;
  MPI_Request requests[2];
  char representation[MPI_MAX_DATAREP_STRING];
  MPI_Datatype number, view;
  MPI_File file = opened(MPI_MODE_CREATE | MPI_MODE_RDWR);
  MPI_File_set_size(file, 0);
  MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)sizeof(int) * size, &every);
  MPI_Type_commit(&every);
  MPI_File_set_view(file, (MPI_Offset)sizeof(int) * rank, MPI_INT, every, "native", MPI_INFO_NULL);
  MPI_File_write_all(file, mine, 2, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_get_position(file, &place);
  MPI_File_get_byte_offset(file, place, &byte);
  MPI_File_get_view(file, &begin, &number, &view, representation);
  MPI_File_get_type_extent(file, MPI_INT, &extent);
  tell("view from %d: at %d, byte %d, extent %d, %s", (int)begin, (int)place, (int)byte,
       (int)extent, representation);
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_iread(file, &got[0], 1, MPI_INT, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_File_read_all(file, &got[1], 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_read(file, &got[0], 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_seek(file, 2, MPI_SEEK_SET);
  tell("own view: %d %d", got[0], got[1]);
  MPI_File_write(file, mine, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_iwrite(file, mine + 1, 1, MPI_INT, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_File_seek(file, 2, MPI_SEEK_SET);
  MPI_File_read_all_begin(file, got, 2, MPI_INT);
  MPI_File_read_all_end(file, got, MPI_STATUS_IGNORE);
  tell("split: %d %d", got[0], got[1]);
  MPI_File_iwrite_all(file, mine, 1, MPI_INT, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_File_seek(file, 4, MPI_SEEK_SET);
  MPI_File_iread_all(file, got, 1, MPI_INT, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_File_write_all_begin(file, mine + 1, 1, MPI_INT);
  MPI_File_write_all_end(file, mine + 1, MPI_STATUS_IGNORE);
  MPI_File_read_at_all_begin(file, 0, got + 1, 1, MPI_INT);
  MPI_File_read_at_all_end(file, got + 1, MPI_STATUS_IGNORE);
  MPI_File_write_at_all_begin(file, 6, mine, 1, MPI_INT);
  MPI_File_write_at_all_end(file, mine, MPI_STATUS_IGNORE);
  tell("all: %d %d", got[0], got[1]);
  MPI_File_close(&file);
  MPI_Type_free(&every);
  tell_contents("views");
}

static void at_a_shared_pointer(void) {
  int mine = 300 + rank, got = -1, one = 1, sum;
  MPI_Offset place;
  MPI_Request request;
  MPI_File file = opened(MPI_MODE_CREATE | MPI_MODE_RDWR);
  MPI_File_set_size(file, 0);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  MPI_File_write_ordered(file, &mine, 1, MPI_INT, MPI_STATUS_IGNORE);
  mine += 100;
  MPI_File_write_ordered_begin(file, &mine, 1, MPI_INT);
  MPI_File_write_ordered_end(file, &mine, MPI_STATUS_IGNORE);
  MPI_File_get_position_shared(file, &place);
  tell("after two rounds: at %d", (int)place);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_write_shared(file, &one, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_iwrite_shared(file, &one, 1, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_ordered(file, &got, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_read_ordered_begin(file, &sum, 1, MPI_INT);
  MPI_File_read_ordered_end(file, &sum, MPI_STATUS_IGNORE);
  tell("in order: %d %d", got, sum);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_read_shared(file, &got, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_iread_shared(file, &one, 1, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  tell("by whom it may be: %d %d", got, one);
  MPI_File_close(&file);
  tell_contents("shared pointer");
}

static int handled;

static void handle(MPI_File* file, int* code, ...) {
  (void)file;
  (void)code;
  ++handled;
}

static void described(void) {
  int mode, atomic = -1, code;
  MPI_Offset bytes;
  MPI_Info info;
  MPI_Errhandler handler, current;
  MPI_File file = opened(MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  MPI_File_get_amode(file, &mode);
  MPI_File_set_atomicity(file, 1);
  MPI_File_get_atomicity(file, &atomic);
  MPI_File_preallocate(file, 4000);  /* more than it holds */
  MPI_File_get_size(file, &bytes);
  MPI_File_get_info(file, &info);
  MPI_File_set_info(file, info);
  MPI_File_create_errhandler(handle, &handler);
  MPI_File_set_errhandler(file, handler);
  MPI_File_get_errhandler(file, &current);
  MPI_File_call_errhandler(file, MPI_ERR_OTHER);
  tell("read and written: %d, atomic %d, %d bytes, handled %d, number %d",
       (mode & MPI_MODE_RDWR) != 0, atomic, (int)bytes, handled,
       MPI_File_f2c(MPI_File_c2f(file)) == file);
  MPI_Errhandler_free(&current);
  MPI_Errhandler_free(&handler);
  MPI_Info_free(&info);
  MPI_File_close(&file);
  code = MPI_File_open(MPI_COMM_WORLD, "conformance.none", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  tell("no such file: %s; ", class_of(code));
  code = rank == 0 ? MPI_File_delete("conformance.none", MPI_INFO_NULL) : MPI_SUCCESS;
  tell("nothing to delete: %s", class_of(code));
}

void files(void) {
  at_places();
  in_views();
  at_a_shared_pointer();
  described();
}
