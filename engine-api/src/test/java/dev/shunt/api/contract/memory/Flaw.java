package dev.shunt.api.contract.memory;

/** Mistakes that a transport can make. */
public enum Flaw {
  /** It makes none. */
  NONE,
  /** Reports a slice twice. */
  REPORTS_TWICE,
  /** Forgets to report one slice in some. */
  FORGETS_A_REPORT,
  /** Reports slices after the channel was said to be down. */
  REPORTS_AFTER_DOWN,
  /** Says twice that a channel is down. */
  DOWN_TWICE,
  /** Never says that a channel is down. */
  NEVER_DOWN,
  /** Completes a write before the remote has applied it. */
  COMPLETES_EARLY,
  /** Moves one byte less than it should. */
  LOSES_THE_LAST_BYTE,
  /** Moves one byte more than it should. */
  MOVES_ONE_BYTE_MORE,
  /** Fails on the largest slices that its limits allow. */
  LIMITS_LIE,
  /** Offers more room than there is. */
  ROOM_LIES,
  /** Never gives the room of failed and completed slices back. */
  ROOM_SHRINKS,
  /** Makes an object in each post. */
  POST_ALLOCATES,
  /** Makes an object for each completion. */
  COMPLETION_ALLOCATES,
  /** Reports on another lane than the channel's. */
  WRONG_LANE,
  /** Takes any range. */
  NO_RANGE_CHECK,
  /** Takes any access. */
  NO_ACCESS_CHECK,
  /** Takes any key. */
  NO_KEY_CHECK,
  /** Calls a refusal a fault of the remote. */
  BLAMES_THE_REMOTE,
  /** Ends the channel with a refused slice. */
  REFUSAL_ENDS_CHANNEL,
  /** Connects to any generation. */
  NO_GENERATION_CHECK,
  /** Says that a write has no effect when it may have one. */
  EFFECT_LIE,
  /** Says that its own side is to blame for a cut path. */
  BLAMES_ITSELF,
  /** Lets what comes late change local memory after the report. */
  TOUCHES_LATE,
  /** Sends what stands in local memory after the report. */
  SENDS_LATE,
  /** Does not answer a connect. */
  NO_ANSWER,
  /** Answers a connect that shows up twice twice. */
  ANSWERS_TWICE,
  /** Goes on as if nothing was lost when the remote dies. */
  IGNORES_DEATH,
  /** Gives up on a remote that rests. */
  IMPATIENT,
  /** Forgets slices when its driver is closed. */
  CLOSE_FORGETS,
  /** Takes a fence, and does nothing. */
  NO_FENCE,
  /** Forgets a fence of a link that it does not know. */
  FORGETS_UNKNOWN_FENCE,
  /** Fences all links. */
  FENCES_ALL,
  /** Keeps the memory of an inbound transfer that stalls. */
  KEEPS_STALLED_LEASE,
  /** Keeps the memory of what it served. */
  KEEPS_LEASE,
  /** Keeps something of each channel. */
  LEAKS,
  /** Takes frames that are longer than it says. */
  FRAMES_OF_ANY_LENGTH,
  /** Lets frames wait for a slot, and never says no. */
  FRAMES_WAIT_FOR_EVER,
  /** Sends a frame twice. */
  FRAME_ARRIVES_TWICE,
  /** Sends the frame first that came last. */
  FRAMES_OVERTAKE,
  /** Forgets the frames that are under way when a port ends. */
  FORGETS_FRAMES,
  /** Says that a frame cannot have arrived that may have. */
  FRAME_EFFECT_LIE,
  /** Loses what arrived by a port when that ends. */
  RETIRED_FRAMES_ARE_LOST,
  /** Loses what arrived when the receiver is closed. */
  CLOSING_LOSES_FRAMES,
  /** Never says that a port is down. */
  PORT_NEVER_DOWN,
  /** Keeps something of each port. */
  PORTS_LEAK,
  /** Takes any configuration. */
  NO_VALIDATION,
  /** Numbers its rails from 1. */
  RAILS_FROM_ONE,
  /** Has an id that nobody can write. */
  BAD_ID
}
