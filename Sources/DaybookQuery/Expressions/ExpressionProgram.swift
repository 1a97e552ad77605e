/// A regular expression as a machine with a bounded number of states.
struct ExpressionProgram: Sendable {
  enum Instruction: Sendable {
    /// Reads one scalar.
    case scalar(Unicode.Scalar)
    /// Reads one scalar of the class with a number.
    case scalarClass(Int)
    /// Continues in two places.
    case fork(Int, Int)
    case jump(Int)
    case assertion(ExpressionAssertion)
    case match
  }

  /// The limit on the instructions of an expression.
  static let maximumCount = 10_000

  private(set) var instructions: [Instruction] = []
  private(set) var classes: [ScalarClass] = []

  /// - Throws: `ExpressionFault` for an expression that needs more instructions than ``maximumCount``.
  init(_ node: ExpressionNode) throws(ExpressionFault) {
    guard ExpressionProgram.size(of: node) < ExpressionProgram.maximumCount else {
      throw ExpressionFault(
        "its repetitions, written out, take more than \(ExpressionProgram.maximumCount) steps")
    }
    append(node)
    instructions.append(.match)
  }

  /// Returns at least the number of a node's instructions; a number beyond the limit stands for all greater ones.
  private static func size(of node: ExpressionNode) -> Int {
    let size =
      switch node {
      case .scalar, .scalarClass, .assertion: 1
      case .sequence(let parts): parts.reduce(1) { $0 + self.size(of: $1) }
      case .choice(let branches): branches.reduce(1) { $0 + self.size(of: $1) + 2 }
      // Each factor is at most the limit, so the product does not overflow.
      case .repetition(let inner, let least, let most): self.size(of: inner, least, most)
      }
    return min(size, maximumCount)
  }

  private static func size(of inner: ExpressionNode, _ least: Int, _ most: Int?) -> Int {
    // Copies of nothing take time too.
    let size = max(self.size(of: inner), 1)
    guard let most else { return size * (least + 1) + 2 }
    return size * least + (size + 1) * (most - least)
  }

  private mutating func append(_ node: ExpressionNode) {
    switch node {
    case .scalar(let scalar): instructions.append(.scalar(scalar))
    case .scalarClass(let scalarClass):
      instructions.append(.scalarClass(classes.count))
      classes.append(scalarClass)
    case .assertion(let assertion): instructions.append(.assertion(assertion))
    case .sequence(let parts): for part in parts { append(part) }
    case .choice(let branches): append(branches)
    case .repetition(let inner, let least, let most): append(inner, least, most)
    }
  }

  private mutating func append(_ branches: [ExpressionNode]) {
    var ends: [Int] = []
    for (number, branch) in branches.enumerated() {
      guard number < branches.count - 1 else {
        append(branch)
        break
      }
      let fork = reserve()
      append(branch)
      ends.append(reserve())
      instructions[fork] = .fork(fork + 1, instructions.count)
    }
    for end in ends { instructions[end] = .jump(instructions.count) }
  }

  private mutating func append(_ inner: ExpressionNode, _ least: Int, _ most: Int?) {
    for _ in 0..<least { append(inner) }
    guard let most else {
      let fork = reserve()
      append(inner)
      instructions.append(.jump(fork))
      instructions[fork] = .fork(fork + 1, instructions.count)
      return
    }
    var forks: [Int] = []
    for _ in least..<most {
      forks.append(reserve())
      append(inner)
    }
    for fork in forks { instructions[fork] = .fork(fork + 1, instructions.count) }
  }

  /// Appends an instruction that is replaced later.
  private mutating func reserve() -> Int {
    instructions.append(.jump(0))
    return instructions.count - 1
  }
}
