import Daybook
import DaybookModel

/// A line of operations: one operation, or a commit of several.
///
///     {"delete": "$cake", "author": "editor"}
///     {"commit": [{"insert": "Tag", "values": {"name": "sweet"}}], "commitID": "0190163d-8694-739b-aea5-966c26f8ad91"}
package struct OperationLine: Hashable, Sendable {
  package var operations: [Operation]
  package var info: CommitInfo
  /// Whether the line declares a commit or information about one.
  ///
  /// Such a line is never combined with others.
  package var standsAlone: Bool

  package init(operations: [Operation], info: CommitInfo = CommitInfo(), standsAlone: Bool = false) {
    self.operations = operations
    self.info = info
    self.standsAlone = standsAlone
  }

  /// Parses a line.
  ///
  /// - Throws: `StoreError` with the code `badRequest` that describes the fault and its place.
  package init(parsing text: [UInt8]) throws {
    do {
      try self.init(json: OperationLine.json(text))
    } catch let error as StoreError {
      // The lines of another program's file are no operations, and its import is a command of its own.
      throw ForeignFile.advice(for: text).map { StoreError(error.code, error.message, advice: .text($0)) } ?? error
    }
  }

  private static func json(_ text: [UInt8]) throws -> JSONValue {
    do {
      return try JSONValue(parsing: text)
    } catch {
      throw OperationReader.error("column \(error.column): \(error.message)")
    }
  }

  package init(json: JSONValue) throws {
    var reader = try OperationReader(json)
    info = CommitInfo()
    info.author = try reader.text("author")
    info.message = try reader.text("message")
    info.happenedAt = try reader.time("happenedAt")
    info.commitID = try reader.id("commitID")
    info.metadata = try reader.metadata("metadata")
    info.causation = try reader.causation("causation")
    info.correlation = try reader.text("correlation")
    info.condition = try reader.condition("when")
    standsAlone = info != CommitInfo()
    if let commit = reader.take("commit") {
      guard let elements = commit.elements else {
        throw OperationReader.error("“commit” takes a list of operations, not \(commit.nounPhrase)")
      }
      operations = try elements.enumerated().map { index, element in
        do {
          return try Operation(json: element)
        } catch let error as StoreError {
          throw StoreError(error.code, "operation \(index + 1) of the commit: \(error.message)", advice: error.remedy)
        }
      }
      standsAlone = true
      try reader.finish()
    } else {
      operations = [try Operation(&reader)]
    }
  }
}

extension OperationLine {
  /// Carries out the operations as verbs of a write, or of one step of an editing context; leaves ``info`` to the caller.
  ///
  /// - Throws: `StoreError` for operations that cannot be performed.
  package func perform(in transaction: borrowing Transaction) throws {
    var performer = OperationPerformer()
    for operation in operations { try performer.perform(operation, in: transaction) }
  }
}
