/* What MPICH (ch4:ucx) hands to UCX, counted for collective_sweep.c: part of the program, whose
 * functions come before UCX's. Messages of processes of one host must go that way, too
 * (MPIR_CVAR_NOLOCAL=1).
 *
 * An endpoint is known by the address that it was made for; the processes tell each other theirs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <ucp/api/ucp.h>

#define SEEN_BY_MPI __attribute__((visibility("default")))

enum { MOST = 4096 };
static struct {
  ucp_ep_h endpoint;
  char* address;
  int rank;
} peers[MOST];
static int peer_count, is_ready;
static const ucp_address_t* own_address;
static size_t own_length;

static struct {
  ucp_datatype_t type;
  ucp_generic_dt_ops_t functions;
  void* context;
} types[MOST];
static int type_count;

void mca_common_monitoring_record_pml(int world_rank, size_t bytes, int tag);
void message_layer_ready(void);

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

SEEN_BY_MPI ucs_status_t ucp_worker_get_address(ucp_worker_h worker, ucp_address_t** address,
                                                size_t* length) {
  const ucs_status_t status = NEXT(ucp_worker_get_address)(worker, address, length);
  own_address = *address;
  own_length = *length;
  return status;
}

SEEN_BY_MPI ucs_status_t ucp_ep_create(ucp_worker_h worker, const ucp_ep_params_t* params, ucp_ep_h* made) {
  const ucs_status_t status = NEXT(ucp_ep_create)(worker, params, made);
  if (status != UCS_OK || peer_count == MOST) return status;
  /* Its length is not told; all are as long as ours, which is known by now. */
  peers[peer_count].endpoint = *made;
  peers[peer_count].address = malloc(own_length);
  memcpy(peers[peer_count].address, params->address, own_length);
  peers[peer_count].rank = -1;
  ++peer_count;
  return status;
}

SEEN_BY_MPI ucs_status_t ucp_dt_create_generic(const ucp_generic_dt_ops_t* functions, void* context,
                                               ucp_datatype_t* made) {
  const ucs_status_t status = NEXT(ucp_dt_create_generic)(functions, context, made);
  int at = 0;
  while (at < type_count && types[at].type != *made) ++at;
  if (at == MOST) abort();
  types[at].type = *made;
  types[at].functions = *functions;
  types[at].context = context;
  if (at == type_count) ++type_count;
  return status;
}

static size_t bytes_of(const void* buffer, size_t count, const ucp_request_param_t* param) {
  if ((param->op_attr_mask & UCP_OP_ATTR_FIELD_DATATYPE) == 0) return count;
  const ucp_datatype_t type = param->datatype;
  if ((type & UCP_DATATYPE_CLASS_MASK) == UCP_DATATYPE_CONTIG) {
    return count * (type >> UCP_DATATYPE_SHIFT);
  }
  for (int i = 0; i < type_count; ++i) {
    if (types[i].type != type) continue;
    void* const packing = types[i].functions.start_pack(types[i].context, buffer, count);
    return types[i].functions.packed_size(packing); /* not finished: MPICH would release the type */

  }
  abort();
}

SEEN_BY_MPI ucs_status_ptr_t ucp_tag_send_nbx(ucp_ep_h endpoint, const void* buffer, size_t count,
                                              ucp_tag_t tag, const ucp_request_param_t* param) {
  static ucs_status_ptr_t (*next)(ucp_ep_h, const void*, size_t, ucp_tag_t, const ucp_request_param_t*);
  if (next == NULL) next = NEXT(ucp_tag_send_nbx);
  for (int i = 0; is_ready && i < peer_count; ++i) {
    if (peers[i].endpoint != endpoint) continue;
    mca_common_monitoring_record_pml(peers[i].rank, bytes_of(buffer, count, param), 0);
    break;
  }
  return next(endpoint, buffer, count, tag, param);
}

void message_layer_ready(void) {
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char* const addresses = malloc((size_t)ranks * own_length);
  PMPI_Allgather(own_address, (int)own_length, MPI_BYTE, addresses, (int)own_length, MPI_BYTE, MPI_COMM_WORLD);
  for (int i = 0; i < peer_count; ++i) {
    for (int rank = 0; rank < ranks; ++rank) {
      if (memcmp(addresses + (size_t)rank * own_length, peers[i].address, own_length) == 0) peers[i].rank = rank;
    }
    if (peers[i].rank < 0) abort();
  }
  free(addresses);
  is_ready = 1;
}
