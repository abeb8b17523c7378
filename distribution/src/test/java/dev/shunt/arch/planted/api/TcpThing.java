package dev.shunt.arch.planted.api;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class TcpThing {
  long rdmaKey;

  Logger logger() {
    return LoggerFactory.getLogger("planted");
  }
}
