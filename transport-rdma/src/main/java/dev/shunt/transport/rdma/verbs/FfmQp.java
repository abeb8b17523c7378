package dev.shunt.transport.rdma.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * An {@code ibv_qp}. Its work request is laid out once and rewritten in place: the device's driver
 * has copied it when the call returns.
 *
 * <p>Control methods exclude one another by a lock: a lane that closes destroys its QPs while the
 * supervisor may just be modifying one.
 */
@SuppressWarnings("restricted")
final class FfmQp implements VerbsQp {
  private final FfmLibrary library;
  private final MemorySegment postSend;
  private final MemorySegment postReceive;
  private final MemorySegment qp;
  private final int number;
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment request = arena.allocate(Layouts.SEND_WR_SIZE, 8);
  private final MemorySegment range = arena.allocate(Layouts.SGE_SIZE, 8);
  private final MemorySegment receive = arena.allocate(Layouts.RECV_WR_SIZE, 8);
  private final MemorySegment receiveRange = arena.allocate(Layouts.SGE_SIZE, 8);
  private final MemorySegment bad = arena.allocate(ADDRESS);
  private boolean closed;

  FfmQp(FfmLibrary library, MemorySegment postSend, MemorySegment postReceive, MemorySegment qp) {
    this.library = library;
    this.postSend = postSend;
    this.postReceive = postReceive;
    this.qp = qp;
    number = qp.get(JAVA_INT, Layouts.QP_QP_NUM);
    request.set(ADDRESS, Layouts.SEND_WR_SG_LIST, range);
    request.set(JAVA_INT, Layouts.SEND_WR_NUM_SGE, 1);
    request.set(JAVA_INT, Layouts.SEND_WR_SEND_FLAGS, Layouts.SEND_SIGNALED);
    receive.set(ADDRESS, Layouts.RECV_WR_SG_LIST, receiveRange);
    receive.set(JAVA_INT, Layouts.RECV_WR_NUM_SGE, 1);
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public int init(QpAttributes attributes) {
    try (var scratch = Arena.ofConfined()) {
      var attr = scratch.allocate(Layouts.QP_ATTR_SIZE, 8);
      attr.set(JAVA_INT, Layouts.QP_ATTR_QP_STATE, Layouts.QPS_INIT);
      attr.set(JAVA_INT, Layouts.QP_ATTR_QP_ACCESS_FLAGS, attributes.access());
      attr.set(JAVA_SHORT, Layouts.QP_ATTR_PKEY_INDEX, (short) attributes.pkeyIndex());
      attr.set(JAVA_BYTE, Layouts.QP_ATTR_PORT_NUM, (byte) attributes.port());
      return modify(
          attr,
          Layouts.MASK_STATE
              | Layouts.MASK_ACCESS_FLAGS
              | Layouts.MASK_PKEY_INDEX
              | Layouts.MASK_PORT);
    }
  }

  @Override
  public int readyToReceive(QpAttributes attributes, QpPeer peer) {
    try (var scratch = Arena.ofConfined()) {
      var attr = scratch.allocate(Layouts.QP_ATTR_SIZE, 8);
      attr.set(JAVA_INT, Layouts.QP_ATTR_QP_STATE, Layouts.QPS_RTR);
      attr.set(JAVA_INT, Layouts.QP_ATTR_PATH_MTU, peer.pathMtu());
      attr.set(JAVA_INT, Layouts.QP_ATTR_RQ_PSN, attributes.receivePsn());
      attr.set(JAVA_INT, Layouts.QP_ATTR_DEST_QP_NUM, peer.qpNumber());
      var network = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
      attr.set(network, Layouts.QP_ATTR_DGID, peer.gid().high());
      attr.set(network, Layouts.QP_ATTR_DGID + 8, peer.gid().low());
      attr.set(JAVA_INT, Layouts.QP_ATTR_FLOW_LABEL, attributes.flowLabel());
      attr.set(JAVA_BYTE, Layouts.QP_ATTR_SGID_INDEX, (byte) attributes.gidIndex());
      attr.set(JAVA_BYTE, Layouts.QP_ATTR_HOP_LIMIT, (byte) attributes.hopLimit());
      attr.set(JAVA_BYTE, Layouts.QP_ATTR_TRAFFIC_CLASS, (byte) attributes.trafficClass());
      attr.set(JAVA_SHORT, Layouts.QP_ATTR_DLID, (short) peer.lid());
      attr.set(JAVA_BYTE, Layouts.QP_ATTR_SL, (byte) attributes.serviceLevel());
      attr.set(JAVA_BYTE, Layouts.QP_ATTR_IS_GLOBAL, (byte) 1);
      attr.set(JAVA_BYTE, Layouts.QP_ATTR_AH_PORT_NUM, (byte) attributes.port());
      attr.set(JAVA_BYTE, Layouts.QP_ATTR_MAX_DEST_RD_ATOMIC, (byte) attributes.maxInboundReads());
      attr.set(JAVA_BYTE, Layouts.QP_ATTR_MIN_RNR_TIMER, (byte) attributes.minRnrTimer());
      return modify(
          attr,
          Layouts.MASK_STATE
              | Layouts.MASK_AV
              | Layouts.MASK_PATH_MTU
              | Layouts.MASK_DEST_QPN
              | Layouts.MASK_RQ_PSN
              | Layouts.MASK_MAX_DEST_RD_ATOMIC
              | Layouts.MASK_MIN_RNR_TIMER);
    }
  }

  @Override
  public int readyToSend(QpAttributes attributes) {
    try (var scratch = Arena.ofConfined()) {
      var attr = scratch.allocate(Layouts.QP_ATTR_SIZE, 8);
      attr.set(JAVA_INT, Layouts.QP_ATTR_QP_STATE, Layouts.QPS_RTS);
      attr.set(JAVA_INT, Layouts.QP_ATTR_SQ_PSN, attributes.sendPsn());
      attr.set(JAVA_BYTE, Layouts.QP_ATTR_MAX_RD_ATOMIC, (byte) attributes.maxOutboundReads());
      attr.set(JAVA_BYTE, Layouts.QP_ATTR_TIMEOUT, (byte) attributes.timeout());
      attr.set(JAVA_BYTE, Layouts.QP_ATTR_RETRY_CNT, (byte) attributes.retryCount());
      attr.set(JAVA_BYTE, Layouts.QP_ATTR_RNR_RETRY, (byte) attributes.rnrRetry());
      return modify(
          attr,
          Layouts.MASK_STATE
              | Layouts.MASK_TIMEOUT
              | Layouts.MASK_RETRY_CNT
              | Layouts.MASK_RNR_RETRY
              | Layouts.MASK_SQ_PSN
              | Layouts.MASK_MAX_QP_RD_ATOMIC);
    }
  }

  @Override
  public int error() {
    try (var scratch = Arena.ofConfined()) {
      var attr = scratch.allocate(Layouts.QP_ATTR_SIZE, 8);
      attr.set(JAVA_INT, Layouts.QP_ATTR_QP_STATE, Layouts.QPS_ERR);
      return modify(attr, Layouts.MASK_STATE);
    }
  }

  private synchronized int modify(MemorySegment attr, int mask) {
    if (closed) {
      return 0;
    }
    try (var scratch = Arena.ofConfined()) {
      var state = library.errno.allocate(scratch);
      int result =
          (int)
              library.modifyQp.invokeExact(
                  library.function("ibv_modify_qp"), state, qp, attr, mask);
      return FfmCall.errorOf(result, library, state);
    } catch (Throwable t) {
      throw FfmCall.thrown(t);
    }
  }

  @Override
  public int post(
      long wrId,
      int opcode,
      long localAddress,
      int lkey,
      int length,
      long remoteAddress,
      int rkey) {
    range.set(JAVA_LONG, Layouts.SGE_ADDR, localAddress);
    range.set(JAVA_INT, Layouts.SGE_LENGTH, length);
    range.set(JAVA_INT, Layouts.SGE_LKEY, lkey);
    request.set(JAVA_LONG, Layouts.SEND_WR_WR_ID, wrId);
    request.set(JAVA_INT, Layouts.SEND_WR_OPCODE, opcode);
    request.set(JAVA_LONG, Layouts.SEND_WR_REMOTE_ADDR, remoteAddress);
    request.set(JAVA_INT, Layouts.SEND_WR_RKEY, rkey);
    try {
      return (int) FfmDataPath.POST.invokeExact(postSend, qp, request, bad);
    } catch (Throwable t) {
      throw FfmCall.thrown(t);
    }
  }

  @Override
  public int post(WorkBatch batch) {
    if (batch.size() == 0) {
      return 0;
    }
    batch.close();
    int error;
    try {
      error = (int) FfmDataPath.POST.invokeExact(postSend, qp, batch.requests(), bad);
    } catch (Throwable t) {
      throw FfmCall.thrown(t);
    }
    batch.posted(error == 0 ? batch.size() : batch.place(bad.get(JAVA_LONG, 0)));
    return error;
  }

  /** Without a range: some devices read a range of no bytes as one of 2 GiB. */
  @Override
  public int probe(long wrId) {
    request.set(JAVA_INT, Layouts.SEND_WR_NUM_SGE, 0);
    int error = post(wrId, WRITE, 0, 0, 0, 0, 0);
    request.set(JAVA_INT, Layouts.SEND_WR_NUM_SGE, 1);
    return error;
  }

  @Override
  public int postReceive(long wrId, long localAddress, int lkey, int length) {
    receiveRange.set(JAVA_LONG, Layouts.SGE_ADDR, localAddress);
    receiveRange.set(JAVA_INT, Layouts.SGE_LENGTH, length);
    receiveRange.set(JAVA_INT, Layouts.SGE_LKEY, lkey);
    receive.set(JAVA_LONG, Layouts.RECV_WR_WR_ID, wrId);
    try {
      return (int) FfmDataPath.POST.invokeExact(postReceive, qp, receive, bad);
    } catch (Throwable t) {
      throw FfmCall.thrown(t);
    }
  }

  @Override
  public synchronized int close() {
    if (closed) {
      return 0;
    }
    int error = FfmCall.error(library, "ibv_destroy_qp", qp);
    closed = error == 0;
    return error;
  }
}
