import DaybookModel

/// The descriptions of derived entities that a process has read, by their text: each read of the rows needs them.
final class DerivedDescriptions: Sendable {
  private let models = Locked<[String: DerivedModel]>([:])
  /// The most descriptions that are kept; each version of a projection has one.
  private static let maximumCount = 64

  /// Returns the entities that a text describes.
  ///
  /// - Throws: `MalformedBytes` if it describes none.
  func model(of text: String) throws(MalformedBytes) -> DerivedModel {
    if let known = models.withLock({ $0[text] }) { return known }
    let made = try DerivedModel(text: text)
    models.withLock { models in
      if models.count >= DerivedDescriptions.maximumCount { models = [:] }
      models[text] = made
    }
    return made
  }
}
