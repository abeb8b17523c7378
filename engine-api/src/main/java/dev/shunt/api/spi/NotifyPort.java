package dev.shunt.api.spi;

/**
 * Where notifications leave for one remote, on one path. A transport whose fabric can carry short
 * messages has ports beside its channels; the runtime asks for one by {@link Transport#openPort}
 * when there is something to say, and posts {@link NotifyFrame}s on it. What a frame says is the
 * runtime's affair: to the port it is bytes.
 *
 * <p>A port belongs to the lane on which {@link NotifyListener#portUp} came, and is called in that
 * lane's turns only, like a {@link Channel}. No method blocks.
 *
 * <h2>What becomes of a frame</h2>
 *
 * <p>Each that was posted is reported to the {@link NotifyListener} exactly once. {@link
 * NotifyListener#delivered}: the remote's side of the fabric has taken it, and hands it up as long
 * as its process lives, also while that ends the port, or was about to. {@link
 * NotifyListener#failed}: with {@link Fault.Effect#NONE} it never left this node; with {@link
 * Fault.Effect#POSSIBLE} it may have arrived, or still arrive. To send such a frame again, here or
 * elsewhere, is for those to decide who know whether the remote tells copies apart. A transport
 * never does it by itself.
 *
 * <p>Frames of one port arrive in the order in which they were posted. Nothing is promised between
 * ports, nor between a port and channels: a notification that follows data is posted after the data
 * completed.
 *
 * <h2>When a port dies</h2>
 *
 * <p>All that is pending is reported as failed, in the order in which it was posted, and then comes
 * {@link NotifyListener#portDown}: what was reported since the last {@code delivered} is the whole
 * table to hand to whoever resends. The fabric's own end (work that is still to be flushed, a QP in
 * ERR) is not waited for: a frame's bytes were copied when it was sent.
 */
public interface NotifyPort {
  /** The link that it belongs to: the one that was asked for. */
  Link link();

  /**
   * The highest protocol of frames that the remote takes, as it said when the link was made: 0 for
   * raw frames ({@link RawFrame}) only, 1 for typed ones beside those.
   */
  int protocol();

  /** The most bytes that a frame may have. Whatever is longer goes another way. */
  int maxFrame();

  /** How many more frames it would take now, waiting ones included; 0 once it is down, or ends. */
  int room();

  /**
   * Takes a frame. It is sent at once where a slot is free; otherwise it waits for one, behind
   * those that wait already, until {@link NotifyFrame#slotDeadline} at the latest. One that cannot
   * be taken is reported as failed, with {@link Fault.Effect#NONE}, before this returns: with
   * REJECTED if its length is not between 1 and {@link #maxFrame}, with BUSY if as many wait as
   * may, or if its time to wait passes, with the cause of the end once the port ends.
   */
  void post(NotifyFrame frame, long now);

  /**
   * Ends the port. What was sent is reported as delivered or failed within a bound that the
   * transport documents, what waits for a slot fails behind it, then {@code portDown} comes, once.
   * One that ends already goes on ending with its first cause.
   */
  void retire(RetireReason reason, long now);
}
