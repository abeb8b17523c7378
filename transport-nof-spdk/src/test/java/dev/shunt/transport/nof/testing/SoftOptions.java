package dev.shunt.transport.nof.testing;

import java.util.HexFormat;

/** How a target is. Changed before it listens; some of it takes effect on new connections only. */
public final class SoftOptions {
  String subsystem = "nqn.2014-08.org.nvmexpress:soft";
  long namespace = 1;
  int blockSize = 512;
  long blocks = 8192;
  byte[] uuid = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");
  byte[] nguid = HexFormat.of().parseHex("101112131415161718191a1b1c1d1e1f");
  boolean descriptors = true;
  int maxData = 131072;
  int inCapsule = 4096;
  int mdts = 5;
  int queues = 64;
  int entries = 128;
  boolean success = true;
  int dataPiece = 65536;
  int requestPiece = Integer.MAX_VALUE;
  boolean headerDigest = true;
  boolean dataDigest = true;
  int alignment = 4;
  long leastKeepAlive;
  long serviceTime;
  long serviceJitter;
  int readyPolls = 1;
  int chunk = Integer.MAX_VALUE;

  /** As SPDK's target is: 512-byte blocks, 4 MiB, SUCCESS flags, no delay. */
  public SoftOptions() {}

  /** The NQN. */
  public SoftOptions subsystem(String nqn) {
    subsystem = nqn;
    return this;
  }

  /** The namespace's number. */
  public SoftOptions namespace(long number) {
    namespace = number;
    return this;
  }

  /** Its size. */
  public SoftOptions size(int bytesOfBlock, long count) {
    blockSize = bytesOfBlock;
    blocks = count;
    return this;
  }

  /** What tells it from another of the same number. */
  public SoftOptions uuid(byte[] bytes) {
    uuid = bytes.clone();
    return this;
  }

  /** Whether it lists identification descriptors. */
  public SoftOptions descriptors(boolean yes) {
    descriptors = yes;
    return this;
  }

  /** MAXH2CDATA, and the most bytes of data of a write that go with the command. */
  public SoftOptions writes(int maxDataPdu, int inCapsuleBytes) {
    maxData = maxDataPdu;
    inCapsule = inCapsuleBytes;
    return this;
  }

  /** The most bytes that one R2T asks for. */
  public SoftOptions requestPiece(int bytes) {
    requestPiece = bytes;
    return this;
  }

  /** The most bytes of data of a read in one PDU, and whether the last one says SUCCESS. */
  public SoftOptions reads(int bytes, boolean successFlag) {
    dataPiece = bytes;
    success = successFlag;
    return this;
  }

  /** MDTS: the exponent, in pages of 4096 bytes; 0 for no limit. */
  public SoftOptions mdts(int exponent) {
    mdts = exponent;
    return this;
  }

  /** How many I/O queues it grants, and of how many entries. */
  public SoftOptions queues(int count, int size) {
    queues = count;
    entries = size;
    return this;
  }

  /** Which digests it grants. */
  public SoftOptions digests(boolean header, boolean data) {
    headerDigest = header;
    dataDigest = data;
    return this;
  }

  /** What data offsets must be multiples of: 4 to 128. */
  public SoftOptions alignment(int bytes) {
    alignment = bytes;
    return this;
  }

  /** Keep-alive timeouts are rounded up to that, in nanoseconds. */
  public SoftOptions leastKeepAlive(long nanos) {
    leastKeepAlive = nanos;
    return this;
  }

  /** How long a read or write takes: at least, and at most so much more, in nanoseconds. */
  public SoftOptions service(long least, long jitter) {
    serviceTime = least;
    serviceJitter = jitter;
    return this;
  }

  /** How often it says that it is not ready yet. */
  public SoftOptions readyPolls(int polls) {
    readyPolls = polls;
    return this;
  }

  /** The most bytes that it sends at a time. */
  public SoftOptions chunk(int bytes) {
    chunk = bytes;
    return this;
  }
}
