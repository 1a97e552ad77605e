import Daybook
import DaybookModel

/// One verb of a write as text: the content of a line of `daybook apply`.
///
///     {"insert": "Recipe", "as": "$cake", "values": {"name": "Cake"}, "relate": {"type": "$dessert"}}
///     {"upsert": "Recipe", "key": ["name"], "values": {"name": "Cake", "servings": 8}}
///     {"rename": "$cake", "to": "Chocolate cake"}
///     {"set": "$cake", "values": {"servings": 8, "note": null}}
///     {"relate": "$cake", "relationship": "tags", "to": "$sweet", "before": "$other"}
///     {"unrelate": "$cake", "relationship": "tags", "to": "$sweet"}
///     {"delete": "$cake"}
///     {"record": "RecipeCooked", "about": "$cake", "values": {"servings": 6}}
///
/// It is the parsed text: its references are not resolved and its values have no types yet, as both depend on the state
/// of the store when it runs. ``OperationPerformer`` then turns it into a ``Verb``.
package enum Operation: Hashable, Sendable {
  case insert(Insertion)
  case upsert(Upsertion)
  case rename(ObjectReference, to: String)
  case set(ObjectReference, values: [NamedJSON])
  case relate(ObjectReference, relationship: String, to: ObjectReference, at: PlaceReference)
  case unrelate(ObjectReference, relationship: String, from: ObjectReference)
  case delete(ObjectReference)
  case record(String, about: ObjectReference, values: [NamedJSON])

  /// A new object.
  package struct Insertion: Hashable, Sendable {
    package var entity: String
    package var id: ObjectID?
    /// The name, with its `$`, by which later operations of the same input refer to the object.
    package var name: String?
    package var values: [NamedJSON]
    package var links: [NamedLinks]

    package init(
      entity: String, id: ObjectID? = nil, name: String? = nil, values: [NamedJSON] = [], links: [NamedLinks] = []
    ) {
      self.entity = entity
      self.id = id
      self.name = name
      self.values = values
      self.links = links
    }
  }

  /// An object that is found by a uniqueness constraint, or inserted.
  package struct Upsertion: Hashable, Sendable {
    package var entity: String
    /// The fields of the constraint.
    package var key: [String]
    /// The name, with its `$`, by which later operations of the same input refer to the object.
    package var name: String?
    package var values: [NamedJSON]
    package var links: [NamedLinks]

    package init(
      entity: String, key: [String], name: String? = nil, values: [NamedJSON] = [], links: [NamedLinks] = []
    ) {
      self.entity = entity
      self.key = key
      self.name = name
      self.values = values
      self.links = links
    }
  }

  /// An attribute with its value, not yet typed.
  package struct NamedJSON: Hashable, Sendable {
    package let name: String
    package let value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  /// A relationship with the objects to relate a new object to.
  package struct NamedLinks: Hashable, Sendable {
    package let name: String
    package let targets: [ObjectReference]
    /// Whether the targets are a list, which only a to-many relationship accepts.
    package let isList: Bool

    package init(_ name: String, _ targets: [ObjectReference], isList: Bool) {
      self.name = name
      self.targets = targets
      self.isList = isList
    }
  }
}

/// A reference to an object in an operation.
package enum ObjectReference: Hashable, Sendable {
  case id(ObjectID)
  /// A name that an earlier insert defined, with its `$`.
  case name(String)
  /// A part of an identity, which must match exactly one object.
  case part(String)

  package init(_ text: String) {
    if let id = ObjectID(text) {
      self = .id(id)
    } else {
      self = text.hasPrefix("$") ? .name(text) : .part(text)
    }
  }
}

/// A ``Place`` whose object is not resolved yet.
package enum PlaceReference: Hashable, Sendable {
  case unspecified
  case before(ObjectReference)
  case after(ObjectReference)
}
