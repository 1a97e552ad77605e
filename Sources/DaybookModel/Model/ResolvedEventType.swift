/// A named event with its dense number and tags.
package final class ResolvedEventType: Sendable {
  package let index: Int
  package let tag: Tag
  package let name: String
  /// The number of the entity that it is about.
  package let about: Int
  package let isRetired: Bool
  /// Present and retired attributes, in the order of their tags.
  package let attributes: [ResolvedAttribute]

  private let attributeByName: [String: Int]
  private let attributeByTag: [Tag: Int]

  init(index: Int, tag: Tag, name: String, about: Int, isRetired: Bool, attributes: [ResolvedAttribute]) {
    self.index = index
    self.tag = tag
    self.name = name
    self.about = about
    self.isRetired = isRetired
    self.attributes = attributes.sorted { $0.tag < $1.tag }
    attributeByName = Dictionary(
      self.attributes.enumerated().filter { !$1.isRetired }.map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first })
    attributeByTag = Dictionary(
      self.attributes.enumerated().map { ($1.tag, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the number of the attribute with a name, or `nil` if it is retired or unknown.
  package func attribute(named name: String) -> Int? { attributeByName[name] }

  /// Returns the number of the attribute with a tag, or `nil` if it is unknown.
  package func attribute(tagged tag: Tag) -> Int? { attributeByTag[tag] }
}
