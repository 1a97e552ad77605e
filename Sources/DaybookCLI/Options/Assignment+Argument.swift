#if Command

import ArgumentParser
import Daybook
import DaybookTools

extension Assignment: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension [Assignment] {
  /// Returns the values of the attributes.
  ///
  /// - Throws: `StoreError` for an unknown or repeated name, and for a value of another type.
  func values(of entity: ResolvedEntity) throws -> [String: Value] {
    var values: [String: Value] = [:]
    for assignment in self {
      let number = try entity.requireStoredAttribute(assignment.name)
      guard values[assignment.name] == nil else {
        throw StoreError(.badValue, "\(entity.name).\(assignment.name) is given twice.")
      }
      values[assignment.name] = try entity.attributes[number].value(of: assignment.text, in: entity)
    }
    return values
  }

  /// Returns the relationships in order with their partial ids.
  ///
  /// Several ids are separated by commas, or the name is repeated.
  func links(of entity: ResolvedEntity) throws -> [(relationship: String, parts: [String])] {
    var links: [(relationship: String, parts: [String])] = []
    for assignment in self {
      let parts = assignment.text.split(separator: ",").map(String.init)
      if let index = links.firstIndex(where: { $0.relationship == assignment.name }) {
        links[index].parts += parts
      } else {
        links.append((assignment.name, parts))
      }
    }
    for link in links where link.parts.count > 1 {
      guard let number = entity.relationship(named: link.relationship), !entity.relationships[number].isMany else {
        continue
      }
      throw StoreError(
        .badValue, "\(entity.name).\(link.relationship) leads to one object, and \(link.parts.count) are given.")
    }
    return links
  }
}

private extension ResolvedAttribute {
  /// Parses the text of a value.
  ///
  /// Empty text clears an attribute that may be null; for a required string it is the empty string. Data is base64, the
  /// reference to a large value, or the path of a file after `@`, which base64 does not have.
  func value(of text: String, in entity: ResolvedEntity) throws -> Value {
    if text.isEmpty, isOptional { return .null }
    if type == .data, text.first == "@" { return try Value.data(contentsOf: String(text.dropFirst())) }
    do {
      return try Value(text: text, type: type)
    } catch {
      throw StoreError(.badValue, "\(entity.name).\(name): \(error).")
    }
  }
}

#endif
