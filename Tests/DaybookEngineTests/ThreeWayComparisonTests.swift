import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// The rule of conflict by itself: every case of three states.
@Suite(.hangLimit) struct ThreeWayComparisonTests {
  private static let states: [String?] = [nil, "a", "b", "c"]

  @Test func eachCaseOfThreeStatesHasItsOutcome() {
    let outcomes: [(base: String, present: String, wanted: String, outcome: ThreeWayComparison)] = [
      ("a", "a", "a", .unchanged), ("a", "b", "a", .unchanged), ("a", "b", "b", .reached), ("a", "a", "b", .apply),
      ("a", "b", "c", .conflict),
    ]
    for (base, present, wanted, outcome) in outcomes {
      #expect(ThreeWayComparison(base: base, present: present, wanted: wanted) == outcome)
    }
  }

  @Test func onlyThreeDifferentStatesAreAConflict() {
    for base in Self.states {
      for present in Self.states {
        for wanted in Self.states {
          let outcome = ThreeWayComparison(base: base, present: present, wanted: wanted)
          #expect((outcome == .conflict) == (Set([base, present, wanted]).count == 3))
          #expect(outcome.isWrite == (base != wanted && present != wanted))
          // What is written or kept is the present state or the wanted one, and the side that changed nothing gives way.
          if outcome == .apply { #expect(present == base) }
          // Both sides find the same conflicts, whichever of them comes first.
          let reverse = ThreeWayComparison(base: base, present: wanted, wanted: present)
          #expect((reverse == .conflict) == (outcome == .conflict))
        }
      }
    }
  }

  @Test func whatIsOrIsNotIsNeverAConflict() {
    for base in [false, true] {
      for present in [false, true] {
        for wanted in [false, true] {
          #expect(ThreeWayComparison(base: base, present: present, wanted: wanted) != .conflict)
        }
      }
    }
  }

  @Test func statesKnownInPairsAreComparedNoFurtherThanNeeded() throws {
    struct Unneeded: Error {}
    func unneeded() throws -> Bool { throw Unneeded() }
    let unchanged = try ThreeWayComparison(isUnchanged: true, isReached: unneeded(), isUntouched: unneeded())
    let reached = try ThreeWayComparison(isUnchanged: false, isReached: true, isUntouched: unneeded())
    let apply = ThreeWayComparison(isUnchanged: false, isReached: false, isUntouched: true)
    let conflict = ThreeWayComparison(isUnchanged: false, isReached: false, isUntouched: false)
    #expect([unchanged, reached, apply, conflict] == [.unchanged, .reached, .apply, .conflict])
    #expect(throws: Unneeded.self) {
      _ = try ThreeWayComparison(isUnchanged: false, isReached: unneeded(), isUntouched: true)
    }
  }

  @Test func aDeletionLosesWhatIsThereAndWasNot() {
    for base in Self.states {
      for present in Self.states {
        let isLost = ThreeWayComparison.isLost(base: base, present: present)
        #expect(isLost == (present != nil && present != base))
      }
    }
  }
}
