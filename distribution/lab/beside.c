/*
 * What the Java programs of dev.shunt.transport.rdma.lab do between two devices of this machine, done
 * in C, to stand beside them.
 *
 *   beside post-poll DEVICE DEVICE GID-INDEX SECONDS
 *
 *       Posts a write of 64 bytes and polls until it has completed, again and again, as PostPoll does.
 *       Prints nanoseconds of a round: of the best and of the median thousand of them.
 *
 *   beside dead-path DEVICE DEVICE GID-INDEX TIMES
 *
 *       Posts a write of 64 KiB on a path that loses everything, and polls until it has failed, as
 *       DeadPath does. Prints milliseconds, a line each time.
 */
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SMALL 64
#define LARGE (64 << 10)
#define WINDOW 1000
#define MOST_WINDOWS 100000

struct side {
  struct ibv_context *context;
  struct ibv_pd *pd;
  struct ibv_cq *cq;
  struct ibv_qp *qp;
  struct ibv_mr *mr;
  union ibv_gid gid;
  char *memory;
};

static void must(int good, const char *what) {
  if (!good) {
    perror(what);
    exit(1);
  }
}

static void open_side(struct side *side, const char *name, int gid_index) {
  int count = 0;
  struct ibv_device **list = ibv_get_device_list(&count);
  for (int i = 0; i < count; i++) {
    if (strcmp(ibv_get_device_name(list[i]), name) == 0) {
      side->context = ibv_open_device(list[i]);
    }
  }
  must(side->context != NULL, name);
  must((side->pd = ibv_alloc_pd(side->context)) != NULL, "ibv_alloc_pd");
  must((side->cq = ibv_create_cq(side->context, 16, NULL, NULL, 0)) != NULL, "ibv_create_cq");
  must(posix_memalign((void **)&side->memory, 4096, LARGE) == 0, "posix_memalign");
  memset(side->memory, 1, LARGE);
  int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;
  must((side->mr = ibv_reg_mr(side->pd, side->memory, LARGE, access)) != NULL, "ibv_reg_mr");
  must(ibv_query_gid(side->context, 1, gid_index, &side->gid) == 0, "ibv_query_gid");
}

static void make_qp(struct side *side) {
  struct ibv_qp_init_attr init = {
      .send_cq = side->cq,
      .recv_cq = side->cq,
      .qp_type = IBV_QPT_RC,
      .cap = {.max_send_wr = 16, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1}};
  must((side->qp = ibv_create_qp(side->pd, &init)) != NULL, "ibv_create_qp");
}

static void go_to_send(struct side *side, struct side *peer, int gid_index) {
  struct ibv_qp_attr attr = {
      .qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
  must(ibv_modify_qp(side->qp, &attr,
                     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0,
       "INIT");
  attr = (struct ibv_qp_attr){
      .qp_state = IBV_QPS_RTR,
      .path_mtu = IBV_MTU_4096,
      .dest_qp_num = peer->qp->qp_num,
      .max_dest_rd_atomic = 1,
      .min_rnr_timer = 12,
      .ah_attr = {.is_global = 1,
                  .port_num = 1,
                  .grh = {.dgid = peer->gid, .sgid_index = gid_index, .hop_limit = 16}}};
  must(ibv_modify_qp(side->qp, &attr,
                     IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                         IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) == 0,
       "RTR");
  attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS,
                              .timeout = 14,
                              .retry_cnt = 6,
                              .rnr_retry = 7,
                              .max_rd_atomic = 1};
  must(ibv_modify_qp(side->qp, &attr,
                     IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                         IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC) == 0,
       "RTS");
}

static void join(struct side *one, struct side *two, int gid_index) {
  make_qp(one);
  make_qp(two);
  go_to_send(one, two, gid_index);
  go_to_send(two, one, gid_index);
}

static void post(struct side *from, struct side *to, uint64_t id, uint32_t length) {
  struct ibv_sge range = {
      .addr = (uintptr_t)from->memory, .length = length, .lkey = from->mr->lkey};
  struct ibv_send_wr request = {.wr_id = id,
                                .sg_list = &range,
                                .num_sge = 1,
                                .opcode = IBV_WR_RDMA_WRITE,
                                .send_flags = IBV_SEND_SIGNALED,
                                .wr.rdma = {.remote_addr = (uintptr_t)to->memory,
                                            .rkey = to->mr->rkey}};
  struct ibv_send_wr *bad;
  must(ibv_post_send(from->qp, &request, &bad) == 0, "ibv_post_send");
}

static enum ibv_wc_status done(struct side *from, uint64_t id) {
  struct ibv_wc done[16];
  int taken;
  while ((taken = ibv_poll_cq(from->cq, 16, done)) == 0) {
  }
  must(taken == 1 && done[0].wr_id == id, "completion");
  return done[0].status;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static int by_size(const void *one, const void *other) {
  double a = *(const double *)one, b = *(const double *)other;
  return a < b ? -1 : a > b;
}

static void post_poll(struct side *one, struct side *two, int gid_index, double seconds) {
  static double took[MOST_WINDOWS];
  int windows = 0;
  uint64_t id = 0;
  join(one, two, gid_index);
  double end = now() + seconds * 1e9;
  while (windows < MOST_WINDOWS && now() < end) {
    double begin = now();
    for (int i = 0; i < WINDOW; i++, id++) {
      post(one, two, id, SMALL);
      must(done(one, id) == IBV_WC_SUCCESS, "the write");
    }
    took[windows++] = (now() - begin) / WINDOW;
  }
  must(windows > 0, "time for a thousand");
  qsort(took, windows, sizeof took[0], by_size);
  printf("%.0f %.0f\n", took[0], took[windows / 2]);
}

/* The cable of the lab's first device, as the script rails has laid it. */
static void cable(const char *how) {
  char command[64];
  snprintf(command, sizeof command, "ip link set port0 %s", how);
  must(system(command) == 0, command);
}

static void dead_path(struct side *one, struct side *two, int gid_index, int times) {
  for (int i = 0; i < times; i++) {
    join(one, two, gid_index);
    post(one, two, 0, LARGE);
    must(done(one, 0) == IBV_WC_SUCCESS, "the write before");
    cable("nomaster");
    double begin = now();
    post(one, two, 1, LARGE);
    enum ibv_wc_status status = done(one, 1);
    double took = now() - begin;
    cable("master fabric");
    must(status == IBV_WC_RETRY_EXC_ERR, "the write that runs out of retries");
    printf("%.1f\n", took / 1e6);
    must(ibv_destroy_qp(one->qp) == 0 && ibv_destroy_qp(two->qp) == 0, "ibv_destroy_qp");
  }
}

int main(int count, char **arguments) {
  int post = count == 6 && strcmp(arguments[1], "post-poll") == 0;
  if (!post && !(count == 6 && strcmp(arguments[1], "dead-path") == 0)) {
    fprintf(stderr, "usage: beside post-poll DEVICE DEVICE GID-INDEX SECONDS\n"
                    "       beside dead-path DEVICE DEVICE GID-INDEX TIMES\n");
    return 2;
  }
  int gid_index = atoi(arguments[4]);
  struct side one = {0}, two = {0};
  open_side(&one, arguments[2], gid_index);
  open_side(&two, arguments[3], gid_index);
  if (post) {
    post_poll(&one, &two, gid_index, atof(arguments[5]));
  } else {
    dead_path(&one, &two, gid_index, atoi(arguments[5]));
  }
  return 0;
}
