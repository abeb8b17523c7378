package dev.shunt.transport.rdma.testing;

/**
 * What a NIC refuses or leaves undone, as a test wants it: counted down, or until told otherwise.
 */
final class SoftFaults {
  int posts;
  int swallowed;
  int spared;
  int modifies;
  int closes;
  int stalls;
  int registerError;
  int openError;
  int eventError;
  boolean keepsFlushes;
  boolean deaf;
  boolean bare;

  boolean refusesPost() {
    return posts > 0 && posts-- > 0;
  }

  boolean refusesModify() {
    return modifies > 0 && modifies-- > 0;
  }

  boolean refusesClose() {
    return closes > 0 && closes-- > 0;
  }

  boolean swallows() {
    if (spared > 0) {
      spared--;
      return false;
    }
    return swallowed > 0 && swallowed-- > 0;
  }

  boolean stalls() {
    return stalls > 0 && stalls-- > 0;
  }
}
