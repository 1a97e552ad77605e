import DaybookModel
import DaybookQuery
import DaybookTestSupport
import DifferenceCases

@testable import Daybook
@testable import DaybookRuntime

extension FeedRun {
  /// Checks a request's last step, spans of the past, and the reverse differences.
  func check(_ plain: PlainRequest) throws {
    try checkAnswer(plain)
    try check(plain, from: head - 1, to: head)
    let span = [random.number(0...Int(head)), random.number(0...Int(head))].sorted().map(UInt64.init)
    // The request uses names of the current model, which earlier models may lack.
    guard canAnswer(at: span[1]) else { return }
    try check(plain, from: span[0], to: span[1])
    if random.isTrue(percent: 25), span[1] - span[0] < 12 { try checkSteps(plain, from: span[0], to: span[1]) }
  }

  /// Whether the present model holds at a position, so that all requests can be evaluated there.
  func canAnswer(at position: UInt64) -> Bool {
    position == 0 || position >= modelPositions.last!
  }

  /// Whether the store's model has the names of a request.
  func isAnswered(_ plain: PlainRequest) -> Bool { (try? store.fetch(plain.request)) != nil }

  /// Whether the model of a position has the names in a request, so that the request can be evaluated there.
  func isNamed(_ plain: PlainRequest, at position: UInt64) -> Bool {
    if canAnswer(at: position) { return true }
    guard let model = try? ResolvedModel(creating: state(at: position).model.model) else { return false }
    return (try? ResolvedRequest(plain.request.fetch, in: model)) != nil
  }

  private func checkAnswer(_ plain: PlainRequest) throws {
    let there = SectionedIDs(try store.fetch(plain.request), plain.request)
    let wanted = result(plain, at: head)
    guard there == wanted else { throw Mismatch("the answer is \(there) instead of \(wanted)") }
    try checkShown(plain)
  }

  /// Checks the values that a request shows of its rows.
  private func checkShown(_ plain: PlainRequest) throws {
    guard let shows = plain.request.shows else { return }
    let rows = self.plain(plain, at: head).window
    try store.read { reader in
      var shown = try ShownReader(plain.request.fetch, in: reader)
      for row in rows {
        // A path that is named twice is shown once.
        let wanted = Dictionary(
          zip(shows.map { $0.joined(separator: ".") }, row.values.suffix(shows.count)), uniquingKeysWith: { $1 })
        let values = try shown.values(of: row.id)
        guard values.count == wanted.count, values.allSatisfy({ $0.values == wanted[$0.path.name] }) else {
          throw Mismatch("\(row.id) shows \(values.map { ($0.path.name, $0.values) }) instead of \(wanted)")
        }
      }
    }
  }

  /// Returns the expected ids of a request at a position.
  func result(_ plain: PlainRequest, at position: UInt64) -> SectionedIDs<ObjectID> {
    self.plain(plain, at: position).ids(plain.request)
  }

  /// Checks one span in both directions.
  private func check(_ plain: PlainRequest, from: UInt64, to: UInt64) throws {
    let (a, b) = (Position(from), Position(to))
    let change = try store.difference(of: plain.request, from: a, to: b)
    let back = try store.difference(of: plain.request, from: b, to: a)
    do {
      guard change.from == a, change.to == b, back.from == b, back.to == a else { throw Mismatch("wrong positions") }
      guard back.isReset == change.isReset, back.difference == change.difference.inverted, back.causes == change.causes
      else { throw Mismatch("the way back is \(back)") }
      if change.isReset { return try checkReset(plain, change, from: from, to: to) }
      try checkDifference(plain, change, from: from, to: to)
    } catch {
      throw Mismatch("\(error)\nfrom \(from) to \(to): \(change)")
    }
  }

  private func checkReset(_ plain: PlainRequest, _ change: ResultsChange, from: UInt64, to: UInt64) throws {
    guard change.difference.isEmpty, change.causes.isEmpty else { throw Mismatch("a reset with a difference") }
    guard modelPositions.contains(where: { $0 > max(from, 1) && $0 <= to }) else {
      throw Mismatch("a reset without a change of the model")
    }
  }

  /// Checks a difference against the reference's states at both ends.
  ///
  /// Where a model had other names, only the followers' own lists are compared.
  func checkDifference(_ plain: PlainRequest, _ change: ResultsChange, from: UInt64, to: UInt64) throws {
    guard isNamed(plain, at: from), isNamed(plain, at: to) else { return }
    let (old, new) = (self.plain(plain, at: from), self.plain(plain, at: to))
    let situation = old.situation(to: new, plain.request)
    try situation.checkLeads(change.difference.plain)
    // These checks take most of the time.
    if random.isTrue(percent: 25) {
      try situation.reversed.checkLeads(change.difference.inverted.plain)
      let wanted = situation.reference().difference
      guard change.difference.plain == wanted else { throw Mismatch("the choice of moves should be \(wanted)") }
    }
    let applied = try result(plain, at: from).applying(change.difference)
    guard applied == result(plain, at: to) else { throw Mismatch("applied it gives \(applied)") }
    try checkCauses(change, old, new)
  }

  /// Checks that a step has the causes of the difference of its span.
  func checkCauses(_ plain: PlainRequest, _ change: ResultsChange) throws {
    guard !change.isReset, canAnswer(at: change.from.number) else { return }
    let whole = try store.difference(of: plain.request, from: change.from, to: change.to)
    guard whole.causes == change.causes else {
      throw Mismatch("the causes are \(change.causes) instead of \(whole.causes)")
    }
  }

  private func checkCauses(_ change: ResultsChange, _ old: PlainResult, _ new: PlainResult) throws {
    for row in change.difference.rows {
      let (before, after) = (old.rows[row.id], new.rows[row.id])
      let isSame = after.map { $0.isEqual(before) } ?? (before == nil)
      let causes = change.causes[row.id]
      guard (causes == nil) == isSame else { throw Mismatch("\(row.id) has the causes \(causes ?? [])") }
      guard let causes else { continue }
      let isRising = zip(causes, causes.dropFirst()).allSatisfy { $0 < $1 }
      guard !causes.isEmpty, isRising, causes[0] > change.from, causes.last! <= change.to else {
        throw Mismatch("\(row.id) has the causes \(causes)")
      }
    }
    let reported = Set(change.difference.rows.map(\.id))
    guard reported.isSuperset(of: change.causes.keys) else { throw Mismatch("causes of rows that did not change") }
  }

  /// Checks that all steps together lead to the same result as the whole span.
  private func checkSteps(_ plain: PlainRequest, from: UInt64, to: UInt64) throws {
    // Earlier models may lack names of the request.
    guard modelPositions.count == 1 || from >= modelPositions.last! else { return }
    var list = result(plain, at: from)
    for position in from..<to {
      let change = try store.difference(of: plain.request, from: Position(position), to: Position(position + 1))
      list = try list.applying(change.difference)
    }
    guard list == result(plain, at: to) else { throw Mismatch("all steps from \(from) to \(to) give \(list)") }
  }
}
