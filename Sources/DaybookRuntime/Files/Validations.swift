import DaybookEngine
import DaybookModel

/// The checks of an application's own; see ``StoreOptions/validate(_:_:)-(String,_)``.
package struct Validations: Sendable {
  package typealias Check = @Sendable (_ object: StoredObject, _ reader: borrowing StoreReader) throws -> Void

  private var checks: [(entity: String, check: Check)] = []

  mutating func add(_ entity: String, _ check: @escaping Check) {
    checks.append((entity, check))
  }
}

/// What is wrong with an object, by a check of the application's own.
public struct ValidationFailure: Error, CustomStringConvertible, Sendable {
  /// The fault, without the object.
  public let description: String
  /// The attributes and relationships that it is about.
  public let fields: [String]

  /// Makes the failure of a check.
  public init(_ description: String, fields: [String] = []) {
    (self.description, self.fields) = (description, fields)
  }
}

extension Validations {
  /// Returns an error for each object that a check refuses.
  ///
  /// - Throws: The error of a look-up.
  package func failures(of builder: CommitBuilder, atMost limit: Int) throws -> [StoreError] {
    let entities = Set(checks.compactMap { builder.model.entity(named: $0.entity) })
    if entities.isEmpty { return [] }
    var failures: [StoreError] = []
    // Without the objects of projections, which do not have the commit yet.
    let reader = StoreReader(pending: builder, source: nil)
    for key in try builder.changedObjects(of: entities) {
      guard let object = try reader.object(key.id) else { continue }
      let entity = builder.model.entities[key.entity].name
      // An object is checked as one of its ancestors too, the root first.
      let kinds = builder.model.entities[key.entity].lineage.map { builder.model.entities[$0].name }
      for entry in checks where kinds.contains(entry.entity) {
        do {
          try entry.check(object, reader)
        } catch {
          failures.append(StoreError(refusal: error, of: object, entity))
          if failures.count >= limit { return failures }
        }
      }
    }
    return failures
  }
}

private extension StoreError {
  init(refusal error: any Error, of object: StoredObject, _ entity: String) {
    let fields = (error as? ValidationFailure)?.fields ?? []
    self.init(
      .constraint, "\(entity) \(object.id): \(error).",
      failure: ConstraintFailure(
        entity: entity, object: object.id, fields: fields, rule: .validation,
        value: fields.count == 1 ? object[fields[0]] : .null))
  }
}
