package dev.shunt.api.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shunt.api.contract.memory.Flaw;
import dev.shunt.api.contract.memory.MemoryKit;
import java.util.EnumSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Plants one mistake after another, and sees the test that is made for it turn red. */
class ContractBitesTest {
  private static Arguments bite(Flaw flaw, Consumer<Suite> test) {
    return Arguments.of(flaw, test);
  }

  static Stream<Arguments> bites() {
    return Stream.of(
        bite(Flaw.REPORTS_TWICE, Suite::manySlicesAreEachReportedOnce),
        bite(Flaw.FORGETS_A_REPORT, Suite::manySlicesAreEachReportedOnce),
        bite(Flaw.REPORTS_AFTER_DOWN, Suite::killingTheChannelInMidTransferEndsEverySliceOnce),
        bite(Flaw.DOWN_TWICE, Suite::killingTheChannelInMidTransferEndsEverySliceOnce),
        bite(Flaw.NEVER_DOWN, Suite::retiringInMidTransferEndsEverySliceOnceWhateverTheReason),
        bite(Flaw.COMPLETES_EARLY, Suite::aCompletedWriteIsAppliedWhenItIsReported),
        bite(Flaw.LOSES_THE_LAST_BYTE, Suite::bytesOfEachSizeArriveAndNothingElseChanges),
        bite(Flaw.MOVES_ONE_BYTE_MORE, Suite::bytesOfEachSizeArriveAndNothingElseChanges),
        bite(Flaw.LIMITS_LIE, Suite::theLargestSliceWorks),
        bite(Flaw.ROOM_LIES, Suite::whatThereIsRoomForIsTakenAndTheRoomComesBack),
        bite(Flaw.ROOM_SHRINKS, Suite::whatThereIsRoomForIsTakenAndTheRoomComesBack),
        bite(Flaw.POST_ALLOCATES, Suite::postAllocatesNothing),
        bite(Flaw.COMPLETION_ALLOCATES, Suite::neitherSideAllocatesForASlice),
        bite(Flaw.WRONG_LANE, Suite::theLanesCarryAtTheSameTime),
        bite(Flaw.NO_RANGE_CHECK, Suite::aRangeOutsideIsRefusedAndTheChannelStaysInStep),
        bite(Flaw.NO_RANGE_CHECK, Suite::aRangeThatEndsBeyondAllAddressesIsRefused),
        bite(Flaw.BLAMES_THE_REMOTE, Suite::aRangeOutsideIsRefusedAndTheChannelStaysInStep),
        bite(Flaw.REFUSAL_ENDS_CHANNEL, Suite::aRangeOutsideIsRefusedAndTheChannelStaysInStep),
        bite(Flaw.NO_ACCESS_CHECK, Suite::aWriteWhereOnlyReadingIsAllowedIsRefused),
        bite(Flaw.NO_ACCESS_CHECK, Suite::aReadWhereOnlyWritingIsAllowedIsRefused),
        bite(Flaw.NO_ACCESS_CHECK, Suite::nothingIsAllowedOnMemoryThatIsLocal),
        bite(Flaw.NO_KEY_CHECK, Suite::theKeyOfAnOlderRegistrationIsRefused),
        bite(Flaw.NO_GENERATION_CHECK, Suite::aStaleGenerationIsRefused),
        bite(Flaw.NO_GENERATION_CHECK, Suite::aRestartOnTheSameAddressIsAnotherNode),
        bite(Flaw.EFFECT_LIE, Suite::retiringInMidTransferEndsEverySliceOnceWhateverTheReason),
        bite(Flaw.BLAMES_ITSELF, Suite::killingTheChannelInMidTransferEndsEverySliceOnce),
        bite(Flaw.TOUCHES_LATE, Suite::nothingTouchesLocalMemoryAfterAReport),
        bite(Flaw.SENDS_LATE, Suite::nothingTouchesLocalMemoryAfterAReport),
        bite(Flaw.NO_ANSWER, Suite::connectingToNobodyFailsByTheDeadline),
        bite(Flaw.NO_ANSWER, Suite::connectingIntoSilenceFailsByTheDeadline),
        bite(Flaw.ANSWERS_TWICE, Suite::aConnectThatShowsUpTwiceMakesOneChannel),
        bite(Flaw.IGNORES_DEATH, Suite::theDeathOfTheRemoteEndsEverything),
        bite(Flaw.IGNORES_DEATH, Suite::closingTheRemoteWhileTransfersRunEndsThemAll),
        bite(Flaw.IMPATIENT, Suite::aRemoteThatWasFrozenGoesOnWhereItWas),
        bite(Flaw.CLOSE_FORGETS, Suite::closingWhileTransfersRunReportsThemAll),
        bite(Flaw.NO_FENCE, Suite::aFencedWriteNeverLandsAfterItsRedo),
        bite(Flaw.NO_FENCE, Suite::fromTheAnswerOfAFenceOnNothingOfThatLinkLands),
        bite(Flaw.FORGETS_UNKNOWN_FENCE, Suite::aFencedLinkThatWasUnknownIsRefusedWhenItAppears),
        bite(Flaw.FENCES_ALL, Suite::aFenceLeavesOtherLinksAlone),
        bite(Flaw.KEEPS_STALLED_LEASE, Suite::anInboundTransferThatStallsLetsItsMemoryGo),
        bite(Flaw.KEEPS_LEASE, Suite::theRemoteHoldsNothingWhenAllIsReported),
        bite(Flaw.LEAKS, Suite::connectingAndRetiringAThousandTimesLeavesNothing),
        bite(Flaw.FRAMES_OF_ANY_LENGTH, Suite::aFrameThatIsTooLongIsRejectedAndCostsNothing),
        bite(Flaw.FRAMES_WAIT_FOR_EVER, Suite::whatIsNotTakenIsKeptAndTheSendersWaitIsBounded),
        bite(Flaw.FRAME_ARRIVES_TWICE, Suite::framesOfEachSizeArriveOnceAndInOrder),
        bite(Flaw.FRAMES_OVERTAKE, Suite::aFloodIsReportedFrameByFrameAndArrives),
        bite(Flaw.FORGETS_FRAMES, Suite::retiringReportsEachFrameOnceAndWhatWasDeliveredArrives),
        bite(Flaw.FORGETS_FRAMES, Suite::closingReportsWhatIsPending),
        bite(Flaw.FRAME_EFFECT_LIE, Suite::theDeathOfTheRemoteEndsThePort),
        bite(
            Flaw.RETIRED_FRAMES_ARE_LOST,
            Suite::retiringReportsEachFrameOnceAndWhatWasDeliveredArrives),
        bite(Flaw.CLOSING_LOSES_FRAMES, Suite::closingTheRemoteHandsUpWhatWasDelivered),
        bite(Flaw.PORT_NEVER_DOWN, Suite::theDeathOfTheRemoteEndsThePort),
        bite(Flaw.NO_ANSWER, Suite::aPortToNobodyFailsByTheDeadline),
        bite(Flaw.PORTS_LEAK, Suite::openingAndRetiringPortsLeavesNothing),
        bite(Flaw.NO_VALIDATION, Suite::aMalformedConfigurationIsRefusedAndNamed),
        bite(Flaw.RAILS_FROM_ONE, Suite::railsHaveNamesAndPlacesThatStay),
        bite(Flaw.BAD_ID, Suite::theProviderDescribesItself));
  }

  @ParameterizedTest
  @MethodSource("bites")
  void aPlantedFlawTurnsItsTestRed(Flaw flaw, Consumer<Suite> test) {
    assertThrows(AssertionError.class, () -> test.accept(suite(flaw)));
  }

  @Test
  void eachFlawIsPlanted() {
    var planted = EnumSet.of(Flaw.NONE);
    bites().forEach(bite -> planted.add((Flaw) bite.get()[0]));
    assertEquals(EnumSet.allOf(Flaw.class), planted);
  }

  private static Suite suite(Flaw flaw) {
    return new Suite(flaw);
  }

  /** All that there is to keep, on the transport of memory. */
  private static final class Suite extends TransportContract implements NotifyContract {
    private final Flaw flaw;

    Suite(Flaw flaw) {
      this.flaw = flaw;
    }

    @Override
    protected ContractKit kit(long seed) {
      return new MemoryKit(seed, flaw);
    }
  }
}
