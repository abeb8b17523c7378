/*
 * A libibverbs without hardware: devices whose QPs reach one another within the process, by copying.
 * Tests load it in place of the library, so that the whole binding is tried on a machine without
 * devices. Compiled against the installed header, it has that header's layouts.
 *
 * FAKE_VERBS in the environment, or fake_option(), says what it is to be like:
 *   devices=N            how many devices there are (1)
 *   list-errno=N         listing them fails
 *   open-errno=N         opening one fails
 *   reg-errno=N          registering memory fails
 *   reg-limit=N          registering more bytes than this in all fails with ENOMEM
 *   relaxed-errno=N      registering with relaxed ordering fails
 *   cq-errno=N, qp-errno=N, modify-errno=N, port-errno=N   so do these
 *   no-poll=1, no-send=1 the operation table lacks them
 *   wild-send=1          the operation table has what is no code there
 *   wild-cq=1            queues are laid out otherwise
 *   port-down=1          the port is down
 *   gids=N               entries of the GID table (2)
 *   refuse-post=N        the N-th request from now on is not taken
 *   broken-loop=1        writes report success and move nothing
 *   silent-loop=1        nothing ever completes
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#undef ibv_reg_mr
#undef ibv_query_port

#define EXPORT __attribute__((visibility("default")))
#define MOST 4096

struct option {
  char name[32];
  long value;
};

static struct option options[64];
static int options_set;
static int options_read;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

EXPORT void fake_option(const char *name, long value) {
  for (int i = 0; i < options_set; i++) {
    if (!strcmp(options[i].name, name)) {
      options[i].value = value;
      return;
    }
  }
  snprintf(options[options_set].name, sizeof options[0].name, "%s", name);
  options[options_set++].value = value;
}

static long option(const char *name, long otherwise) {
  if (!options_read) {
    options_read = 1;
    const char *text = getenv("FAKE_VERBS");
    char word[64];
    while (text && *text) {
      size_t length = strcspn(text, ",");
      snprintf(word, sizeof word, "%.*s", (int)length, text);
      char *value = strchr(word, '=');
      if (value) {
        *value = 0;
        fake_option(word, atol(value + 1));
      }
      text += length + (text[length] == ',');
    }
  }
  for (int i = 0; i < options_set; i++) {
    if (!strcmp(options[i].name, name)) {
      return options[i].value;
    }
  }
  return otherwise;
}

static int failing(const char *name) {
  int error = (int)option(name, 0);
  if (error) {
    errno = error;
  }
  return error;
}

/* ---- devices */

struct fake_context {
  struct ibv_context ibv;
  int event_writer;
  int made;
};

struct fake_mr {
  struct ibv_mr ibv;
  unsigned access;
};

struct fake_cq {
  struct ibv_cq ibv;
  struct ibv_wc *ring;
  unsigned head;
  unsigned tail;
  unsigned size;
};

struct fake_qp {
  struct ibv_qp ibv;
  uint32_t peer;
  unsigned access;
};

static struct ibv_device devices[8];
static struct fake_mr *regions[MOST];
static struct fake_qp *qps[MOST];
static long registered;

/** What is still there: contexts, domains, regions, queues, QPs. */
static long resources;

EXPORT long fake_resources(void) { return resources; }

EXPORT struct ibv_device **ibv_get_device_list(int *count) {
  if (failing("list-errno")) {
    return NULL;
  }
  int number = (int)option("devices", 1);
  struct ibv_device **list = calloc((size_t)number + 1, sizeof *list);
  for (int i = 0; i < number; i++) {
    snprintf(devices[i].name, sizeof devices[i].name, "fake%d", i);
    list[i] = &devices[i];
  }
  if (count) {
    *count = number;
  }
  return list;
}

EXPORT void ibv_free_device_list(struct ibv_device **list) { free(list); }

EXPORT const char *ibv_get_device_name(struct ibv_device *device) { return device->name; }

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *request, struct ibv_send_wr **bad);
static int post_receive(struct ibv_qp *qp, struct ibv_recv_wr *request, struct ibv_recv_wr **bad);
static int poll_cq(struct ibv_cq *cq, int count, struct ibv_wc *into);

EXPORT struct ibv_context *ibv_open_device(struct ibv_device *device) {
  if (failing("open-errno")) {
    return NULL;
  }
  struct fake_context *context = calloc(1, sizeof *context);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) {
    free(context);
    return NULL;
  }
  context->ibv.device = device;
  context->ibv.async_fd = ends[0];
  context->event_writer = ends[1];
  context->ibv.num_comp_vectors = 1;
  context->ibv.ops.poll_cq = option("no-poll", 0) ? NULL : poll_cq;
  context->ibv.ops.post_send = option("no-send", 0)   ? NULL
                               : option("wild-send", 0) ? (void *)&options[0]
                                                        : post_send;
  context->ibv.ops.post_recv = post_receive;
  resources++;
  return &context->ibv;
}

EXPORT int ibv_close_device(struct ibv_context *ibv) {
  struct fake_context *context = (struct fake_context *)ibv;
  if (context->made) {
    return EBUSY;
  }
  /* Kept, so that who frees it twice is told. */
  if (!context->ibv.device) {
    return EINVAL;
  }
  close(context->ibv.async_fd);
  close(context->event_writer);
  context->ibv.device = NULL;
  resources--;
  return 0;
}

static void made(struct ibv_context *context, int change) {
  ((struct fake_context *)context)->made += change;
  resources += change;
}

EXPORT int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr) {
  (void)context;
  memset(attr, 0, sizeof *attr);
  snprintf(attr->fw_ver, sizeof attr->fw_ver, "1.2.3");
  attr->phys_port_cnt = 1;
  attr->max_qp = MOST;
  attr->max_qp_wr = 1 << 12;
  attr->max_cqe = 1 << 16;
  attr->max_qp_rd_atom = 16;
  attr->max_sge = 4;
  attr->vendor_id = 0x1234;
  return 0;
}

EXPORT int ibv_query_port(struct ibv_context *context, uint8_t port,
                          struct _compat_ibv_port_attr *raw) {
  (void)context;
  if (failing("port-errno")) {
    return errno;
  }
  if (port != 1) {
    return EINVAL;
  }
  struct ibv_port_attr *attr = (struct ibv_port_attr *)raw;
  memset(attr, 0, offsetof(struct ibv_port_attr, port_cap_flags2));
  attr->state = option("port-down", 0) ? IBV_PORT_DOWN : IBV_PORT_ACTIVE;
  attr->max_mtu = IBV_MTU_4096;
  attr->active_mtu = IBV_MTU_4096;
  attr->gid_tbl_len = (int)option("gids", 2);
  attr->max_msg_sz = 1u << 31;
  attr->link_layer = IBV_LINK_LAYER_ETHERNET;
  return 0;
}

static void gid(int index, union ibv_gid *into) {
  memset(into, 0, sizeof *into);
  if (index == 0) {
    into->raw[0] = 0xfe;
    into->raw[1] = 0x80;
    into->raw[15] = 1;
  } else {
    into->raw[10] = into->raw[11] = 0xff;
    into->raw[12] = 10;
    into->raw[15] = (uint8_t)index;
  }
}

EXPORT int ibv_query_gid(struct ibv_context *context, uint8_t port, int index,
                         union ibv_gid *into) {
  (void)context;
  if (port != 1 || index >= option("gids", 2)) {
    return -1;
  }
  gid(index, into);
  return 0;
}

#ifndef FAKE_OLD
EXPORT int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port, uint32_t index,
                             struct ibv_gid_entry *entry, uint32_t flags, size_t size) {
  (void)context;
  (void)flags;
  (void)size;
  if (port != 1 || index >= (uint32_t)option("gids", 2)) {
    return ENODATA;
  }
  memset(entry, 0, sizeof *entry);
  gid((int)index, &entry->gid);
  entry->gid_index = index;
  entry->port_num = port;
  entry->gid_type = IBV_GID_TYPE_ROCE_V2;
  entry->ndev_ifindex = 1;
  return 0;
}
#endif

/* ---- domains, regions */

EXPORT struct ibv_pd *ibv_alloc_pd(struct ibv_context *context) {
  struct ibv_pd *pd = calloc(1, sizeof *pd);
  pd->context = context;
  made(context, 1);
  return pd;
}

EXPORT int ibv_dealloc_pd(struct ibv_pd *pd) {
  /* Kept, so that who frees it twice is told. */
  if (!pd->context) {
    return EINVAL;
  }
  made(pd->context, -1);
  pd->context = NULL;
  return 0;
}

static struct ibv_mr *reg(struct ibv_pd *pd, void *address, size_t length, unsigned access) {
  if (failing("reg-errno")) {
    return NULL;
  }
  if ((access & IBV_ACCESS_RELAXED_ORDERING) && failing("relaxed-errno")) {
    return NULL;
  }
  pthread_mutex_lock(&lock);
  struct fake_mr *region = NULL;
  long most = option("reg-limit", 0);
  if (most && registered + (long)length > most) {
    errno = ENOMEM;
  } else {
    for (uint32_t key = 1; key < MOST && !region; key++) {
      if (!regions[key]) {
        region = calloc(1, sizeof *region);
        region->ibv.context = pd->context;
        region->ibv.pd = pd;
        region->ibv.addr = address;
        region->ibv.length = length;
        region->ibv.lkey = key;
        region->ibv.rkey = key;
        region->access = access;
        regions[key] = region;
        registered += (long)length;
        made(pd->context, 1);
      }
    }
  }
  pthread_mutex_unlock(&lock);
  return region ? &region->ibv : NULL;
}

EXPORT struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access) {
  if (access & IBV_ACCESS_OPTIONAL_RANGE) {
    errno = EINVAL;
    return NULL;
  }
  return reg(pd, address, length, (unsigned)access);
}

#ifndef FAKE_OLD
EXPORT struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *address, size_t length,
                                       uint64_t iova, unsigned access) {
  if (iova != (uintptr_t)address) {
    errno = EINVAL;
    return NULL;
  }
  return reg(pd, address, length, access);
}
#endif

/** The access that a region was registered with; -1 if there is none of this key. */
EXPORT long fake_access(uint32_t key) { return regions[key] ? (long)regions[key]->access : -1; }

EXPORT int ibv_dereg_mr(struct ibv_mr *region) {
  pthread_mutex_lock(&lock);
  regions[region->lkey] = NULL;
  registered -= (long)region->length;
  made(region->context, -1);
  pthread_mutex_unlock(&lock);
  free(region);
  return 0;
}

static int reaches(uint32_t key, uint64_t address, uint32_t length, unsigned access) {
  struct fake_mr *region = key < MOST ? regions[key] : NULL;
  return region && (region->access & access) == access && address >= (uintptr_t)region->ibv.addr &&
         address + length <= (uintptr_t)region->ibv.addr + region->ibv.length;
}

/* ---- queues */

EXPORT struct ibv_cq *ibv_create_cq(struct ibv_context *context, int entries, void *cookie,
                                    struct ibv_comp_channel *channel, int vector) {
  (void)channel;
  (void)vector;
  if (failing("cq-errno")) {
    return NULL;
  }
  struct fake_cq *cq = calloc(1, sizeof *cq);
  cq->ibv.context = option("wild-cq", 0) ? NULL : context;
  cq->ibv.cq_context = cookie;
  cq->ibv.cqe = entries;
  cq->size = (unsigned)entries + 1;
  cq->ring = calloc(cq->size, sizeof *cq->ring);
  made(context, 1);
  cq->ibv.handle = (uint32_t)cq->size;
  return &cq->ibv;
}

EXPORT int ibv_destroy_cq(struct ibv_cq *ibv) {
  struct fake_cq *cq = (struct fake_cq *)ibv;
  if (ibv->context) {
    made(ibv->context, -1);
  }
  free(cq->ring);
  free(cq);
  return 0;
}

static void push(struct fake_qp *qp, uint64_t id, enum ibv_wc_status status, uint32_t length) {
  struct fake_cq *cq = (struct fake_cq *)qp->ibv.send_cq;
  unsigned next = (cq->tail + 1) % cq->size;
  if (next == cq->head) {
    return;
  }
  struct ibv_wc *completion = &cq->ring[cq->tail];
  memset(completion, 0, sizeof *completion);
  completion->wr_id = id;
  completion->status = status;
  completion->vendor_err = status ? 0x80u + status : 0;
  completion->qp_num = qp->ibv.qp_num;
  completion->byte_len = length;
  cq->tail = next;
}

static int poll_cq(struct ibv_cq *ibv, int count, struct ibv_wc *into) {
  struct fake_cq *cq = (struct fake_cq *)ibv;
  int taken = 0;
  while (taken < count && cq->head != cq->tail) {
    into[taken++] = cq->ring[cq->head];
    cq->head = (cq->head + 1) % cq->size;
  }
  return taken;
}

/* ---- QPs */

EXPORT struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr) {
  if (failing("qp-errno")) {
    return NULL;
  }
  if (attr->qp_type != IBV_QPT_RC || attr->cap.max_send_sge != 1 || attr->srq) {
    errno = EINVAL;
    return NULL;
  }
  for (uint32_t number = 1; number < MOST; number++) {
    if (!qps[number]) {
      struct fake_qp *qp = calloc(1, sizeof *qp);
      qp->ibv.context = pd->context;
      qp->ibv.pd = pd;
      qp->ibv.send_cq = attr->send_cq;
      qp->ibv.recv_cq = attr->recv_cq;
      qp->ibv.qp_num = number;
      qp->ibv.qp_type = IBV_QPT_RC;
      qps[number] = qp;
      made(pd->context, 1);
      return &qp->ibv;
    }
  }
  errno = ENOMEM;
  return NULL;
}

EXPORT int ibv_modify_qp(struct ibv_qp *ibv, struct ibv_qp_attr *attr, int mask) {
  struct fake_qp *qp = (struct fake_qp *)ibv;
  if (failing("modify-errno")) {
    return errno;
  }
  if (!(mask & IBV_QP_STATE)) {
    return EINVAL;
  }
  int needs = 0;
  enum ibv_qp_state from = attr->qp_state;
  switch (attr->qp_state) {
    case IBV_QPS_INIT:
      from = IBV_QPS_RESET;
      needs = IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
      qp->access = attr->qp_access_flags;
      break;
    case IBV_QPS_RTR:
      from = IBV_QPS_INIT;
      needs = IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
              IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
      qp->peer = attr->dest_qp_num;
      break;
    case IBV_QPS_RTS:
      from = IBV_QPS_RTR;
      needs = IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
              IBV_QP_MAX_QP_RD_ATOMIC;
      break;
    case IBV_QPS_ERR:
      break;
    default:
      return EINVAL;
  }
  if (attr->qp_state != IBV_QPS_ERR && (ibv->state != from || (mask & needs) != needs)) {
    return EINVAL;
  }
  ibv->state = attr->qp_state;
  return 0;
}

EXPORT int ibv_destroy_qp(struct ibv_qp *ibv) {
  qps[ibv->qp_num] = NULL;
  made(ibv->context, -1);
  free(ibv);
  return 0;
}

static enum ibv_wc_status carry(struct fake_qp *qp, struct ibv_send_wr *request) {
  struct fake_qp *peer = qp->peer < MOST ? qps[qp->peer] : NULL;
  if (!peer || (peer->ibv.state != IBV_QPS_RTR && peer->ibv.state != IBV_QPS_RTS)) {
    return IBV_WC_RETRY_EXC_ERR;
  }
  if (request->num_sge == 0) {
    return IBV_WC_SUCCESS;
  }
  struct ibv_sge *range = request->sg_list;
  int write = request->opcode == IBV_WR_RDMA_WRITE;
  unsigned there = write ? IBV_ACCESS_REMOTE_WRITE : IBV_ACCESS_REMOTE_READ;
  if (!write && request->opcode != IBV_WR_RDMA_READ) {
    return IBV_WC_REM_INV_REQ_ERR;
  }
  if (!reaches(range->lkey, range->addr, range->length, write ? 0 : IBV_ACCESS_LOCAL_WRITE)) {
    return IBV_WC_LOC_PROT_ERR;
  }
  if (!(peer->access & there) ||
      !reaches(request->wr.rdma.rkey, request->wr.rdma.remote_addr, range->length, there)) {
    peer->ibv.state = IBV_QPS_ERR;
    return IBV_WC_REM_ACCESS_ERR;
  }
  void *local = (void *)(uintptr_t)range->addr;
  void *remote = (void *)(uintptr_t)request->wr.rdma.remote_addr;
  if (!option("broken-loop", 0)) {
    memmove(write ? remote : local, write ? local : remote, range->length);
  }
  return IBV_WC_SUCCESS;
}

static int post_send(struct ibv_qp *ibv, struct ibv_send_wr *request, struct ibv_send_wr **bad) {
  struct fake_qp *qp = (struct fake_qp *)ibv;
  for (; request; request = request->next) {
    long refuse = option("refuse-post", 0);
    if (refuse > 0) {
      fake_option("refuse-post", refuse - 1);
    }
    if (refuse == 1 || ibv->state < IBV_QPS_RTS) {
      *bad = request;
      return refuse == 1 ? ENOMEM : EINVAL;
    }
    if (option("silent-loop", 0)) {
      continue;
    }
    enum ibv_wc_status status =
        ibv->state == IBV_QPS_ERR ? IBV_WC_WR_FLUSH_ERR : carry(qp, request);
    if (status) {
      ibv->state = IBV_QPS_ERR;
    }
    if (status || (request->send_flags & IBV_SEND_SIGNALED)) {
      uint32_t length = request->num_sge ? request->sg_list->length : 0;
      push(qp, request->wr_id, status, length);
    }
  }
  return 0;
}

static int post_receive(struct ibv_qp *qp, struct ibv_recv_wr *request, struct ibv_recv_wr **bad) {
  (void)qp;
  (void)request;
  (void)bad;
  return 0;
}

/* ---- events */

EXPORT int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event) {
  int told[2];
  if (read(context->async_fd, told, sizeof told) != sizeof told) {
    return -1;
  }
  memset(event, 0, sizeof *event);
  event->event_type = (enum ibv_event_type)told[0];
  if (told[0] == IBV_EVENT_QP_FATAL) {
    event->element.qp = &qps[told[1]]->ibv;
  } else {
    event->element.port_num = told[1];
  }
  return 0;
}

EXPORT void ibv_ack_async_event(struct ibv_async_event *event) { (void)event; }

/** Lets a device tell of an event. */
EXPORT int fake_event(struct ibv_context *context, int type, int subject) {
  int told[2] = {type, subject};
  int writer = ((struct fake_context *)context)->event_writer;
  return write(writer, told, sizeof told) == sizeof told ? 0 : errno;
}

/* ---- the bare data path, to be measured: a request completes as it is posted */

#define BARE 1024

struct bare {
  struct ibv_context context;
  struct ibv_qp qp;
  struct ibv_cq cq;
  uint64_t ids[BARE];
  unsigned head;
  unsigned tail;
  struct ibv_send_wr last;
  struct ibv_sge last_range;
};

static struct bare bare;

static int bare_post(struct ibv_qp *qp, struct ibv_send_wr *request, struct ibv_send_wr **bad) {
  struct bare *all = (struct bare *)qp->qp_context;
  for (; request; request = request->next) {
    if (all->tail - all->head == BARE) {
      *bad = request;
      return ENOMEM;
    }
    all->ids[all->tail++ % BARE] = request->wr_id;
    all->last = *request;
    all->last_range = *request->sg_list;
  }
  return 0;
}

static int bare_poll(struct ibv_cq *cq, int count, struct ibv_wc *into) {
  struct bare *all = (struct bare *)cq->cq_context;
  int taken = 0;
  for (; taken < count && all->head != all->tail; taken++) {
    into[taken].wr_id = all->ids[all->head++ % BARE];
    into[taken].status = IBV_WC_SUCCESS;
    into[taken].vendor_err = 0;
    into[taken].qp_num = all->qp.qp_num;
  }
  return taken;
}

/** A context, a QP and a queue of the bare data path; there is one. */
EXPORT struct ibv_context *bare_context(void) {
  bare.context.ops.post_send = bare_post;
  bare.context.ops.poll_cq = bare_poll;
  bare.qp.context = &bare.context;
  bare.qp.qp_context = &bare;
  bare.qp.qp_num = 77;
  bare.cq.context = &bare.context;
  bare.cq.cq_context = &bare;
  bare.cq.cqe = BARE;
  return &bare.context;
}

EXPORT struct ibv_qp *bare_qp(void) { return &bare.qp; }

EXPORT struct ibv_cq *bare_cq(void) { return &bare.cq; }

/** The last request that was posted, and its range. */
EXPORT struct ibv_send_wr *bare_last(void) { return &bare.last; }

EXPORT struct ibv_sge *bare_range(void) { return &bare.last_range; }

/**
 * What C takes for the same: rewrites requests in place, posts them together, and polls until all
 * are back. Answers with nanoseconds for all rounds, or below 0 where something was wrong.
 */
EXPORT long bare_measure(long rounds, int together) {
  struct ibv_send_wr requests[16];
  struct ibv_sge ranges[16];
  struct ibv_wc completions[16];
  struct ibv_send_wr *bad;
  struct timespec begin, end;
  if (together < 1 || together > 16) {
    return -EINVAL;
  }
  memset(requests, 0, sizeof requests);
  for (int i = 0; i < together; i++) {
    requests[i].sg_list = &ranges[i];
    requests[i].num_sge = 1;
    requests[i].send_flags = IBV_SEND_SIGNALED;
    requests[i].next = i + 1 < together ? &requests[i + 1] : NULL;
  }
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (long round = 0; round < rounds; round++) {
    for (int i = 0; i < together; i++) {
      uint64_t id = (uint64_t)(round * together + i);
      ranges[i].addr = id << 4;
      ranges[i].length = 64;
      ranges[i].lkey = 7;
      requests[i].wr_id = id;
      requests[i].opcode = IBV_WR_RDMA_WRITE;
      requests[i].wr.rdma.remote_addr = id << 5;
      requests[i].wr.rdma.rkey = 9;
    }
    if (ibv_post_send(&bare.qp, requests, &bad)) {
      return -1;
    }
    int back = 0;
    while (back < together) {
      int taken = ibv_poll_cq(&bare.cq, 16, completions);
      for (int i = 0; i < taken; i++) {
        if (completions[i].status || completions[i].wr_id != (uint64_t)(round * together + back)) {
          return -2;
        }
        back++;
      }
    }
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (end.tv_sec - begin.tv_sec) * 1000000000L + (end.tv_nsec - begin.tv_nsec);
}
