import WorkLimits

/// One search of a text with a program: all states that the program can be in move on together, scalar by scalar.
///
/// No text is read twice, so a search of *n* scalars takes at most *n* times as many steps as the program has
/// instructions.
struct ExpressionRun {
  private let program: ExpressionProgram
  /// The states before the present scalar, and after it.
  private var states: [Int] = []
  private var nextStates: [Int] = []
  /// For each instruction, the last place at which it was reached.
  private var reached: [Int]
  private var pending: [Int] = []
  private var work = WorkCounter()

  init(_ program: ExpressionProgram) {
    self.program = program
    reached = [Int](repeating: -1, count: program.instructions.count)
  }

  /// Returns whether the text matches.
  ///
  /// - Parameter isWhole: Whether the whole text must match, or else any part of it.
  /// - Throws: `WorkLimitExceeded`.
  mutating func matches(_ text: String, isWhole: Bool) throws(WorkLimitExceeded) -> Bool {
    var scalars = text.unicodeScalars.makeIterator()
    var (before, present) = (Unicode.Scalar?.none, scalars.next())
    var following = scalars.next()
    var place = 0
    while true {
      // The states that the scalar before led to are in the list; what they lead to without reading is added.
      let seeds = nextStates
      nextStates.removeAll(keepingCapacity: true)
      states.removeAll(keepingCapacity: true)
      let surroundings = Surroundings(before: before, after: present, isBeforeLast: following == nil)
      for state in seeds {
        if try add(state, place, surroundings, isWhole) { return true }
      }
      if place == 0 || !isWhole, try add(0, place, surroundings, isWhole) { return true }
      guard let scalar = present, !(isWhole && states.isEmpty) else { return false }
      try read(scalar)
      (before, present, following) = (present, following, scalars.next())
      place += 1
    }
  }

  /// What is on both sides of a place.
  private struct Surroundings {
    let before: Unicode.Scalar?
    let after: Unicode.Scalar?
    let isBeforeLast: Bool

    func meet(_ assertion: ExpressionAssertion) -> Bool {
      assertion.holds(
        between: before, and: after, isLastLineEnd: isBeforeLast && after.map(ScalarClass.lineEnds.contains) ?? false)
    }
  }

  /// Adds a state and those that it leads to without reading.
  ///
  /// - Returns: Whether the text is known to match.
  private mutating func add(
    _ state: Int, _ place: Int, _ surroundings: Surroundings, _ isWhole: Bool
  ) throws(WorkLimitExceeded) -> Bool {
    pending.append(state)
    while let state = pending.popLast() {
      guard reached[state] != place else { continue }
      reached[state] = place
      try work.step()
      switch program.instructions[state] {
      case .scalar, .scalarClass: states.append(state)
      case .jump(let target): pending.append(target)
      case .fork(let first, let second):
        pending.append(second)
        pending.append(first)
      case .assertion(let assertion): if surroundings.meet(assertion) { pending.append(state + 1) }
      case .match:
        if !isWhole || surroundings.after == nil {
          pending.removeAll()
          return true
        }
      }
    }
    return false
  }

  /// Moves the states that read a scalar.
  private mutating func read(_ scalar: Unicode.Scalar) throws(WorkLimitExceeded) {
    for state in states {
      switch program.instructions[state] {
      case .scalar(let wanted):
        if wanted == scalar { nextStates.append(state + 1) }
      case .scalarClass(let number):
        try work.step(program.classes[number].size)
        if program.classes[number].contains(scalar) { nextStates.append(state + 1) }
      case .fork, .jump, .assertion, .match: continue
      }
    }
    try work.step(1 + states.count)
  }
}
