#if Command

import ArgumentParser
import Daybook
import DaybookTools
import Foundation

struct BisectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bisect", abstract: "Find the first position at which something holds.",
    discussion: """
      daybook bisect STORE Item --where 'stock == 0' --count '>= 10'

      prints the first position at which ten items or more have no stock. What holds is assumed to hold from then on: only \
      a few positions are read.

      --run asks a program instead, which finds each candidate in DAYBOOK_POSITION: status 0 means that it does not hold \
      yet, 125 that it cannot be told, 1 to 124, 126 and 127 that it holds, and any other ends the search.

      Exit status 1: it does not hold at the last position.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The entity whose objects are counted, or the groups of whose objects with --group.")
  var entity: String?

  @OptionGroup var match: FilterOption

  @Option(parsing: .unconditional, help: ArgumentHelp("What the number of objects must be.", valueName: "comparison"))
  var count: CountComparison?

  @Option(
    name: .customLong("run"), parsing: .unconditional,
    help: ArgumentHelp("Ask this command of the shell, with the position in DAYBOOK_POSITION.", valueName: "command"))
  var program: String?

  @Option(help: ArgumentHelp("The first position to consider.", valueName: "position"))
  var from: PositionText = .number(1)

  @Option(help: ArgumentHelp("The last position to consider.", valueName: "position"))
  var to: PositionText = .head

  @OptionGroup var output: JSONOption

  func validate() throws {
    guard program == nil else {
      if entity != nil || !match.isEmpty || count != nil {
        throw ValidationError("Give an entity with --where and --count, or --run, not both.")
      }
      return
    }
    if entity == nil { throw ValidationError("Give an entity, or --run.") }
  }

  func run() throws {
    try arguments.withStore { store in
      let (first, last) = try store.read { head in
        try head.reading(entity.map { [$0] } ?? []) { (try from.resolve(in: $0), try to.resolve(in: $0)) }
      }
      guard first <= last else {
        throw StoreError(
          .badRequest, "--from \(first) is after --to \(last).", advice: "Give the earlier one as --from.")
      }
      let position =
        if let program { try bisect(running: program, from: first, to: last) } else {
          try count(store, from: first, to: last)
        }
      if output.json {
        try Console.standard.print(["position": position.json] as JSONValue)
      } else {
        try Console.standard.print("\(position)")
      }
    }
  }

  private func count(_ store: Store, from first: Position, to last: Position) throws -> Position {
    let comparison = count ?? .atLeastOne
    let request = try match.request(for: entity ?? "")
    guard let position = try store.bisect(request.untyped, from: first, to: last, where: comparison.isMet) else {
      throw BisectCommand.never(last)
    }
    return position
  }

  private static func never(_ last: Position) -> StoreError {
    StoreError(.notFound, "It does not hold at \(last), so there is no first position at which it does.")
  }

  private func bisect(running command: String, from first: Position, to last: Position) throws -> Position {
    var bisection = Bisection(from: first, through: last)
    while let position = bisection.candidate { bisection.record(try outcome(of: command, at: position)) }
    switch bisection.finding {
    case .first(let position): return position
    case .skipped(let range):
      throw StoreError(
        .notFound,
        "The first position is one of \(range.lowerBound) to \(range.upperBound); which one could not be decided.",
        advice: "Let the command decide more positions: status 125 skips one.")
    case .never, nil: throw BisectCommand.never(last)
    }
  }

  /// Runs the command for one position.
  private func outcome(of command: String, at position: Position) throws -> Bool? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.environment = ProcessInfo.processInfo.environment.merging(["DAYBOOK_POSITION": "\(position)"]) { $1 }
    // The result of this command is one line of its output; the program's output must not be mixed with it.
    process.standardOutput = FileHandle.standardError
    do {
      try process.run()
    } catch {
      throw StoreError(.inputOutput, "The command could not be run: \(error).")
    }
    process.waitUntilExit()
    let status = process.terminationStatus
    guard process.terminationReason == .exit, status < 128 else {
      throw StoreError(
        .notFound,
        "The command ended with \(process.terminationReason == .exit ? "status" : "signal") \(status) at position \(position).",
        advice: "A status up to 127 reports an outcome.")
    }
    return status == 125 ? nil : status != 0
  }
}

/// A condition on a number of objects, such as `>= 4`.
struct CountComparison: ExpressibleByArgument {
  private let operation: String
  private let number: Int

  static let atLeastOne = CountComparison(operation: ">=", number: 1)

  private init(operation: String, number: Int) {
    self.operation = operation
    self.number = number
  }

  init?(argument: String) {
    let text = argument.trimmingCharacters(in: .whitespaces)
    guard let operation = [">=", "<=", "==", "!=", ">", "<"].first(where: { text.hasPrefix($0) }),
      let number = Int(text.dropFirst(operation.count).trimmingCharacters(in: .whitespaces)), number >= 0
    else { return nil }
    self.init(operation: operation, number: number)
  }

  func isMet(_ count: Int) -> Bool {
    switch operation {
    case ">=": count >= number
    case "<=": count <= number
    case "==": count == number
    case "!=": count != number
    case ">": count > number
    default: count < number
    }
  }
}

#endif
