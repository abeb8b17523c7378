package dev.shunt.transport.rdma.verbs;

/**
 * Sizes and offsets of C structures, as {@code infiniband/verbs.h} has them on 64-bit Linux. Its
 * ABI keeps them: fields are only ever added at the end. A test compares each with the compiler's
 * own where the header is installed.
 */
final class Layouts {
  static final long CONTEXT_SIZE = 328;
  static final long CONTEXT_POLL_CQ = 96;
  static final long CONTEXT_POST_SEND = 208;
  static final long CONTEXT_POST_RECV = 216;
  static final long CONTEXT_ASYNC_FD = 268;

  static final long DEVICE_ATTR_SIZE = 232;
  static final long DEVICE_ATTR_VENDOR_ID = 96;
  static final long DEVICE_ATTR_MAX_QP = 108;
  static final long DEVICE_ATTR_MAX_QP_WR = 112;
  static final long DEVICE_ATTR_MAX_CQE = 132;
  static final long DEVICE_ATTR_MAX_QP_RD_ATOM = 144;
  static final long DEVICE_ATTR_PHYS_PORT_CNT = 227;

  static final long PORT_ATTR_SIZE = 52;
  static final long PORT_ATTR_STATE = 0;
  static final long PORT_ATTR_ACTIVE_MTU = 8;
  static final long PORT_ATTR_GID_TBL_LEN = 12;
  static final long PORT_ATTR_MAX_MSG_SZ = 20;
  static final long PORT_ATTR_LID = 34;
  static final long PORT_ATTR_LINK_LAYER = 46;

  static final long GID_SIZE = 16;
  static final long GID_ENTRY_SIZE = 32;
  static final long GID_ENTRY_GID_TYPE = 24;
  static final long GID_ENTRY_NDEV_IFINDEX = 28;

  static final long MR_SIZE = 48;
  static final long MR_CONTEXT = 0;
  static final long MR_ADDR = 16;
  static final long MR_LENGTH = 24;
  static final long MR_LKEY = 36;
  static final long MR_RKEY = 40;

  static final long CQ_SIZE = 128;
  static final long CQ_CONTEXT = 0;
  static final long CQ_CQE = 28;

  static final long QP_SIZE = 160;
  static final long QP_CONTEXT = 0;
  static final long QP_SEND_CQ = 24;
  static final long QP_QP_NUM = 52;

  static final long QP_INIT_ATTR_SIZE = 64;
  static final long QP_INIT_ATTR_SEND_CQ = 8;
  static final long QP_INIT_ATTR_RECV_CQ = 16;
  static final long QP_INIT_ATTR_MAX_SEND_WR = 32;
  static final long QP_INIT_ATTR_MAX_RECV_WR = 36;
  static final long QP_INIT_ATTR_MAX_SEND_SGE = 40;
  static final long QP_INIT_ATTR_MAX_RECV_SGE = 44;
  static final long QP_INIT_ATTR_QP_TYPE = 52;
  static final long QP_INIT_ATTR_SQ_SIG_ALL = 56;

  static final long QP_ATTR_SIZE = 144;
  static final long QP_ATTR_QP_STATE = 0;
  static final long QP_ATTR_PATH_MTU = 8;
  static final long QP_ATTR_RQ_PSN = 20;
  static final long QP_ATTR_SQ_PSN = 24;
  static final long QP_ATTR_DEST_QP_NUM = 28;
  static final long QP_ATTR_QP_ACCESS_FLAGS = 32;
  static final long QP_ATTR_DGID = 56;
  static final long QP_ATTR_FLOW_LABEL = 72;
  static final long QP_ATTR_SGID_INDEX = 76;
  static final long QP_ATTR_HOP_LIMIT = 77;
  static final long QP_ATTR_TRAFFIC_CLASS = 78;
  static final long QP_ATTR_DLID = 80;
  static final long QP_ATTR_SL = 82;
  static final long QP_ATTR_IS_GLOBAL = 85;
  static final long QP_ATTR_AH_PORT_NUM = 86;
  static final long QP_ATTR_PKEY_INDEX = 120;
  static final long QP_ATTR_MAX_RD_ATOMIC = 126;
  static final long QP_ATTR_MAX_DEST_RD_ATOMIC = 127;
  static final long QP_ATTR_MIN_RNR_TIMER = 128;
  static final long QP_ATTR_PORT_NUM = 129;
  static final long QP_ATTR_TIMEOUT = 130;
  static final long QP_ATTR_RETRY_CNT = 131;
  static final long QP_ATTR_RNR_RETRY = 132;

  static final long SGE_SIZE = 16;
  static final long SGE_ADDR = 0;
  static final long SGE_LENGTH = 8;
  static final long SGE_LKEY = 12;

  static final long SEND_WR_SIZE = 128;
  static final long SEND_WR_WR_ID = 0;
  static final long SEND_WR_NEXT = 8;
  static final long SEND_WR_SG_LIST = 16;
  static final long SEND_WR_NUM_SGE = 24;
  static final long SEND_WR_OPCODE = 28;
  static final long SEND_WR_SEND_FLAGS = 32;
  static final long SEND_WR_REMOTE_ADDR = 40;
  static final long SEND_WR_RKEY = 48;

  static final long RECV_WR_SIZE = 32;
  static final long RECV_WR_WR_ID = 0;
  static final long RECV_WR_SG_LIST = 16;
  static final long RECV_WR_NUM_SGE = 24;

  static final long WC_SIZE = 48;
  static final long WC_WR_ID = 0;
  static final long WC_STATUS = 8;
  static final long WC_VENDOR_ERR = 16;
  static final long WC_BYTE_LEN = 20;
  static final long WC_QP_NUM = 28;

  static final long ASYNC_EVENT_SIZE = 16;
  static final long ASYNC_EVENT_ELEMENT = 0;
  static final long ASYNC_EVENT_EVENT_TYPE = 8;

  static final int QPT_RC = 2;
  static final int QPS_INIT = 1;
  static final int QPS_RTR = 2;
  static final int QPS_RTS = 3;
  static final int QPS_ERR = 6;

  static final int MASK_STATE = 1;
  static final int MASK_ACCESS_FLAGS = 1 << 3;
  static final int MASK_PKEY_INDEX = 1 << 4;
  static final int MASK_PORT = 1 << 5;
  static final int MASK_AV = 1 << 7;
  static final int MASK_PATH_MTU = 1 << 8;
  static final int MASK_TIMEOUT = 1 << 9;
  static final int MASK_RETRY_CNT = 1 << 10;
  static final int MASK_RNR_RETRY = 1 << 11;
  static final int MASK_RQ_PSN = 1 << 12;
  static final int MASK_MAX_QP_RD_ATOMIC = 1 << 13;
  static final int MASK_MIN_RNR_TIMER = 1 << 15;
  static final int MASK_SQ_PSN = 1 << 16;
  static final int MASK_MAX_DEST_RD_ATOMIC = 1 << 17;
  static final int MASK_DEST_QPN = 1 << 20;

  static final int ACCESS_RELAXED_ORDERING = 1 << 20;

  static final int SEND_SIGNALED = 1 << 1;
  static final int LINK_LAYER_ETHERNET = 2;

  private Layouts() {}
}
