import Daybook

/// A test in three parts: the initial state, the action, and the expected events.
///
///     try store.given { tx in
///       try tx.insert(Recipe(name: "Cake"))
///     }.when { tx, cake in
///       try tx.rename(cake, to: "Pie")
///     }.then { cake in
///       [.renamed(cake, to: "Pie")]
///     }
///
/// A failure is thrown, so a scenario works in every test library: in Swift Testing and XCTest a test that throws has
/// failed, and the error shows the expected and the actual events.
public struct Scenario<Known> {
  let store: Store
  let known: Known
}

extension Scenario {
  /// Performs the action to test, in one commit.
  ///
  /// An error of the write is kept for ``Outcome/thenFails(with:)``; ``Outcome/then(_:)`` throws it.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  public func when(_ body: (borrowing Transaction, Known) throws -> Void) throws -> Outcome {
    let start = try store.position
    do {
      try store.write { try body($0, known) }
      return Outcome(store: store, known: known, start: start, failure: nil)
    } catch {
      return Outcome(store: store, known: known, start: start, failure: error)
    }
  }

  /// The outcome of the action.
  public struct Outcome {
    let store: Store
    let known: Known
    let start: Position
    let failure: (any Error)?

    /// Expects exactly these events in this order; none for a write that changes nothing.
    ///
    /// - Returns: This outcome, for further checks of the store.
    /// - Throws: ``Mismatch`` with both lists; the error of the write.
    @discardableResult
    public func then(_ expected: (Known) throws -> [ExpectedEvent]) throws -> Outcome {
      if let failure { throw failure }
      try check(expected(known))
      return self
    }

    /// Expects that the write was refused and changed nothing.
    ///
    /// - Throws: ``Mismatch`` if it succeeded, or failed with another code.
    public func thenFails(with code: StoreError.Code) throws {
      guard let failure else { throw Mismatch("The write should fail with “\(code)”, and did not.") }
      guard let error = failure as? StoreError, error.code == code else {
        throw Mismatch("The write should fail with “\(code)”, and failed otherwise: \(failure)")
      }
      try check([])
    }

    private func check(_ expected: [ExpectedEvent]) throws {
      let events = try events()
      let isMet = events.count == expected.count && zip(events, expected).allSatisfy { $1.matches($0) }
      guard !isMet else { return }
      throw Mismatch(
        "The events are not the expected ones.\nexpected:\n" + Outcome.list(expected.map(\.description))
          + "\nfound:\n" + Outcome.list(events.map(ExpectedEvent.text)))
    }

    /// Returns the events of all later commits.
    private func events() throws -> [Event] {
      guard try store.position > start else { return [] }
      var log = try store.log(from: Position(start.number + 1))
      var events: [Event] = []
      while let commit = try log.next() { events += commit.events }
      return events
    }

    private static func list(_ lines: [String]) -> String {
      lines.isEmpty ? "  nothing" : lines.map { "  " + $0 }.joined(separator: "\n")
    }
  }
}
