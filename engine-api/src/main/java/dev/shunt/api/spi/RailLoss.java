package dev.shunt.api.spi;

/** Why a rail can't carry anything, as far as it tells how that ends. */
public enum RailLoss {
  /** Its link or its address is gone: {@link RailListener#returned} will tell when it is back. */
  LINK,
  /**
   * It errs (a queue that failed, an address that changed under it) and nothing will tell the end:
   * it is tried again after a delay, made anew ({@link Transport#check}).
   */
  ERRORS,
  /** The device is broken: only an operator brings it back. */
  FATAL
}
