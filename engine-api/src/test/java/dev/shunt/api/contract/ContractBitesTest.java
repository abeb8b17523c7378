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
  private static Arguments bite(Flaw flaw, Consumer<TransportContract> test) {
    return Arguments.of(flaw, test);
  }

  static Stream<Arguments> bites() {
    return Stream.of(
        bite(Flaw.REPORTS_TWICE, TransportContract::manySlicesAreEachReportedOnce),
        bite(Flaw.FORGETS_A_REPORT, TransportContract::manySlicesAreEachReportedOnce),
        bite(
            Flaw.REPORTS_AFTER_DOWN,
            TransportContract::killingTheChannelInMidTransferEndsEverySliceOnce),
        bite(Flaw.DOWN_TWICE, TransportContract::killingTheChannelInMidTransferEndsEverySliceOnce),
        bite(
            Flaw.NEVER_DOWN,
            TransportContract::retiringInMidTransferEndsEverySliceOnceWhateverTheReason),
        bite(Flaw.COMPLETES_EARLY, TransportContract::aCompletedWriteIsAppliedWhenItIsReported),
        bite(
            Flaw.LOSES_THE_LAST_BYTE,
            TransportContract::bytesOfEachSizeArriveAndNothingElseChanges),
        bite(
            Flaw.MOVES_ONE_BYTE_MORE,
            TransportContract::bytesOfEachSizeArriveAndNothingElseChanges),
        bite(Flaw.LIMITS_LIE, TransportContract::theLargestSliceWorks),
        bite(Flaw.ROOM_LIES, TransportContract::whatThereIsRoomForIsTakenAndTheRoomComesBack),
        bite(Flaw.ROOM_SHRINKS, TransportContract::whatThereIsRoomForIsTakenAndTheRoomComesBack),
        bite(Flaw.POST_ALLOCATES, TransportContract::postAllocatesNothing),
        bite(Flaw.COMPLETION_ALLOCATES, TransportContract::neitherSideAllocatesForASlice),
        bite(Flaw.WRONG_LANE, TransportContract::theLanesCarryAtTheSameTime),
        bite(
            Flaw.NO_RANGE_CHECK, TransportContract::aRangeOutsideIsRefusedAndTheChannelStaysInStep),
        bite(Flaw.NO_RANGE_CHECK, TransportContract::aRangeThatEndsBeyondAllAddressesIsRefused),
        bite(
            Flaw.BLAMES_THE_REMOTE,
            TransportContract::aRangeOutsideIsRefusedAndTheChannelStaysInStep),
        bite(
            Flaw.REFUSAL_ENDS_CHANNEL,
            TransportContract::aRangeOutsideIsRefusedAndTheChannelStaysInStep),
        bite(Flaw.NO_ACCESS_CHECK, TransportContract::aWriteWhereOnlyReadingIsAllowedIsRefused),
        bite(Flaw.NO_ACCESS_CHECK, TransportContract::aReadWhereOnlyWritingIsAllowedIsRefused),
        bite(Flaw.NO_ACCESS_CHECK, TransportContract::nothingIsAllowedOnMemoryThatIsLocal),
        bite(Flaw.NO_KEY_CHECK, TransportContract::theKeyOfAnOlderRegistrationIsRefused),
        bite(Flaw.NO_GENERATION_CHECK, TransportContract::aStaleGenerationIsRefused),
        bite(Flaw.NO_GENERATION_CHECK, TransportContract::aRestartOnTheSameAddressIsAnotherNode),
        bite(
            Flaw.EFFECT_LIE,
            TransportContract::retiringInMidTransferEndsEverySliceOnceWhateverTheReason),
        bite(
            Flaw.BLAMES_ITSELF,
            TransportContract::killingTheChannelInMidTransferEndsEverySliceOnce),
        bite(Flaw.TOUCHES_LATE, TransportContract::nothingTouchesLocalMemoryAfterAReport),
        bite(Flaw.SENDS_LATE, TransportContract::nothingTouchesLocalMemoryAfterAReport),
        bite(Flaw.NO_ANSWER, TransportContract::connectingToNobodyFailsByTheDeadline),
        bite(Flaw.NO_ANSWER, TransportContract::connectingIntoSilenceFailsByTheDeadline),
        bite(Flaw.ANSWERS_TWICE, TransportContract::aConnectThatShowsUpTwiceMakesOneChannel),
        bite(Flaw.IGNORES_DEATH, TransportContract::theDeathOfTheRemoteEndsEverything),
        bite(Flaw.IGNORES_DEATH, TransportContract::closingTheRemoteWhileTransfersRunEndsThemAll),
        bite(Flaw.IMPATIENT, TransportContract::aRemoteThatWasFrozenGoesOnWhereItWas),
        bite(Flaw.CLOSE_FORGETS, TransportContract::closingWhileTransfersRunReportsThemAll),
        bite(Flaw.NO_FENCE, TransportContract::aFencedWriteNeverLandsAfterItsRedo),
        bite(Flaw.NO_FENCE, TransportContract::fromTheAnswerOfAFenceOnNothingOfThatLinkLands),
        bite(
            Flaw.FORGETS_UNKNOWN_FENCE,
            TransportContract::aFencedLinkThatWasUnknownIsRefusedWhenItAppears),
        bite(Flaw.FENCES_ALL, TransportContract::aFenceLeavesOtherLinksAlone),
        bite(
            Flaw.KEEPS_STALLED_LEASE,
            TransportContract::anInboundTransferThatStallsLetsItsMemoryGo),
        bite(Flaw.KEEPS_LEASE, TransportContract::theRemoteHoldsNothingWhenAllIsReported),
        bite(Flaw.LEAKS, TransportContract::connectingAndRetiringAThousandTimesLeavesNothing),
        bite(Flaw.NO_VALIDATION, TransportContract::aMalformedConfigurationIsRefusedAndNamed),
        bite(Flaw.RAILS_FROM_ONE, TransportContract::railsHaveNamesAndPlacesThatStay),
        bite(Flaw.BAD_ID, TransportContract::theProviderDescribesItself));
  }

  @ParameterizedTest
  @MethodSource("bites")
  void aPlantedFlawTurnsItsTestRed(Flaw flaw, Consumer<TransportContract> test) {
    assertThrows(AssertionError.class, () -> test.accept(suite(flaw)));
  }

  @Test
  void eachFlawIsPlanted() {
    var planted = EnumSet.of(Flaw.NONE);
    bites().forEach(bite -> planted.add((Flaw) bite.get()[0]));
    assertEquals(EnumSet.allOf(Flaw.class), planted);
  }

  private static TransportContract suite(Flaw flaw) {
    return new TransportContract() {
      @Override
      protected ContractKit kit(long seed) {
        return new MemoryKit(seed, flaw);
      }
    };
  }
}
