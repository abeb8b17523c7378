/*
 * Posts a write of 64 bytes and polls until it has completed, again and again, between two devices of
 * this machine: what dev.shunt.transport.rdma.lab.PostPoll does, for comparison.
 *
 *   post-poll DEVICE DEVICE GID-INDEX WARM-UP ROUNDS
 *
 * Prints nanoseconds of a round.
 */
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIZE 64

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
  must(posix_memalign((void **)&side->memory, 4096, 4096) == 0, "posix_memalign");
  memset(side->memory, 1, 4096);
  int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;
  must((side->mr = ibv_reg_mr(side->pd, side->memory, 4096, access)) != NULL, "ibv_reg_mr");
  struct ibv_qp_init_attr init = {
      .send_cq = side->cq,
      .recv_cq = side->cq,
      .qp_type = IBV_QPT_RC,
      .cap = {.max_send_wr = 16, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1}};
  must((side->qp = ibv_create_qp(side->pd, &init)) != NULL, "ibv_create_qp");
  must(ibv_query_gid(side->context, 1, gid_index, &side->gid) == 0, "ibv_query_gid");
}

static void join(struct side *side, struct side *peer, int gid_index) {
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

static void rounds(struct side *from, struct side *to, long count) {
  struct ibv_sge range = {
      .addr = (uintptr_t)from->memory, .length = SIZE, .lkey = from->mr->lkey};
  struct ibv_send_wr request = {.sg_list = &range,
                                .num_sge = 1,
                                .opcode = IBV_WR_RDMA_WRITE,
                                .send_flags = IBV_SEND_SIGNALED,
                                .wr.rdma = {.remote_addr = (uintptr_t)to->memory,
                                            .rkey = to->mr->rkey}};
  struct ibv_send_wr *bad;
  struct ibv_wc done[16];
  for (long i = 0; i < count; i++) {
    request.wr_id = i;
    must(ibv_post_send(from->qp, &request, &bad) == 0, "ibv_post_send");
    int taken;
    while ((taken = ibv_poll_cq(from->cq, 16, done)) == 0) {
    }
    must(taken == 1 && done[0].status == IBV_WC_SUCCESS && done[0].wr_id == (uint64_t)i,
         "completion");
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

int main(int count, char **arguments) {
  if (count != 6) {
    fprintf(stderr, "usage: post-poll DEVICE DEVICE GID-INDEX WARM-UP ROUNDS\n");
    return 2;
  }
  int gid_index = atoi(arguments[3]);
  struct side one = {0}, two = {0};
  open_side(&one, arguments[1], gid_index);
  open_side(&two, arguments[2], gid_index);
  join(&one, &two, gid_index);
  join(&two, &one, gid_index);
  rounds(&one, &two, atol(arguments[4]));
  long measured = atol(arguments[5]);
  double begin = now();
  rounds(&one, &two, measured);
  printf("%.0f\n", (now() - begin) / measured);
  return 0;
}
