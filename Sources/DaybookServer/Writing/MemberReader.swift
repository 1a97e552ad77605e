#if Server

import Daybook
import DaybookModel
import DaybookTools

/// The members of a small body.
package struct MemberReader: Sendable {
  private let members: [(key: String, value: JSONValue)]

  /// - Throws: `Problem` with the status 400 for a value that is no object, and for an unknown member.
  package init(_ json: JSONValue, known: [String]) throws {
    guard let members = json.members else {
      throw Problem(.badRequest, "The body is a JSON object, not \(json.nounPhrase).")
    }
    for (key, _) in members where !known.contains(key) {
      var problem = Problem(
        .badRequest, "There is no member “\(key)”.", advice: "Known: \(known.joined(separator: ", ")).")
      problem.pointer = "/\(key.replacing("~", with: "~0").replacing("/", with: "~1"))"
      throw problem
    }
    self.members = members
  }

  private func value(_ key: String) -> JSONValue? {
    members.first { $0.key == key }.flatMap { $0.value.isNull ? nil : $0.value }
  }

  private func fault(_ key: String, _ expected: String) -> Problem {
    var problem = Problem(.badRequest, "“\(key)” takes \(expected).")
    problem.pointer = "/\(key)"
    return problem
  }

  package func text(_ key: String) throws -> String? {
    guard let value = value(key) else { return nil }
    guard let text = value.stringValue else { throw fault(key, "a string") }
    return text
  }

  package func flag(_ key: String) throws -> Bool {
    guard let value = value(key) else { return false }
    guard let flag = value.booleanValue else { throw fault(key, "true or false") }
    return flag
  }

  func number(_ key: String) throws -> Int? {
    guard let value = value(key) else { return nil }
    guard let number = value.integerValue, (1...1_000_000).contains(number) else { throw fault(key, "a number from 1") }
    return Int(number)
  }

  func optionalPosition(_ key: String) throws -> PositionText? {
    guard let value = value(key) else { return nil }
    let text = value.stringValue ?? value.integerValue.map { "\($0)" }
    guard let position = text.flatMap({ PositionText($0) }) else { throw fault(key, "a number, head, or a time") }
    return position
  }

  func position(_ key: String) throws -> PositionText {
    guard let position = try optionalPosition(key) else { throw fault(key, "a number, head, or a time") }
    return position
  }
}

#endif
