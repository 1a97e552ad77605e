import DaybookModel

/// A fact that a context edited and that a later commit changed too.
///
/// Conflicts are found by attribute and by link, from what each side leads to: changes of different attributes of one
/// object do not conflict, nor do two equal changes, nor a change with one that was changed back.
public struct EditingConflict: Hashable, Sendable {
  /// The name of the object's entity.
  public let entity: String
  /// The object that both sides changed.
  public let object: ObjectID
  /// Which fact both sides changed, and how.
  public let kind: Kind
  /// The positions of the conflicting commits, rising.
  public let positions: [Position]

  package init(entity: String, object: ObjectID, kind: Kind, positions: [Position]) {
    (self.entity, self.object, self.kind, self.positions) = (entity, object, kind, positions)
  }

  /// The fact that both sides changed, with both changes.
  public enum Kind: Hashable, Sendable {
    /// Both set the same attribute.
    case attribute(String, mine: Value, theirs: Value)
    /// Both changed a to-one relationship; `nil` stands for no target.
    ///
    /// Either both set its target, or both took the same partner of a one-to-one relationship, of which this is the
    /// side that names the owner.
    case target(String, mine: ObjectID?, theirs: ObjectID?)
    /// One side related two objects by a to-many relationship, and the other side unrelated them.
    case link(String, ObjectID, isMineRelated: Bool)
    /// Another commit deleted an object that the context changes, relates or inserts.
    case deletedByOthers
    /// The context deletes an object that another commit changed or named in a link.
    case deletedHere
    /// A later model removed the entity, attribute, relationship or named event of this name, which the context uses.
    ///
    /// Such an edit can only be left out: a decision for it is refused with the code `notFound`.
    case removedByModel(String)
  }
}

extension EditingConflict: CustomStringConvertible {
  public var description: String {
    let commits = positions.map { "\($0)" }.joined(separator: ", ")
    let place = "\(entity) \(object)"
    switch kind {
    case .attribute(let name, let mine, let theirs):
      return "\(place): \(name) is \(mine) here and \(theirs) since commit \(commits)"
    case .target(let name, let mine, let theirs):
      func text(_ id: ObjectID?) -> String { id.map { "\($0)" } ?? "nothing" }
      return "\(place): \(name) is \(text(mine)) here and \(text(theirs)) since commit \(commits)"
    case .link(let name, let target, let isMineRelated):
      return
        "\(place): \(name) \(target) is \(isMineRelated ? "there here, and not" : "not there here, but is") since \(commits)"
    case .deletedByOthers: return "\(place) is changed here and was deleted by commit \(commits)"
    case .deletedHere: return "\(place) is deleted here and was changed by commit \(commits)"
    case .removedByModel(let name): return "\(place) is changed here, and the model of commit \(commits) has no \(name)"
    }
  }
}
