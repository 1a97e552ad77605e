#if Command

import Daybook
import DaybookTools

/// Labels objects for users: by name, and by the short form of the identity.
struct ObjectLabels {
  private let model: ResolvedModel
  private var encoder: ObjectEncoder
  private var labels: [ObjectID: String] = [:]

  /// The maximum number of labels to keep.
  private static let maximumCount = 100_000

  init(_ model: ResolvedModel) {
    self.model = model
    encoder = ObjectEncoder(model)
  }

  /// Returns `Dessert (26f8ad91)`, or only the short form for an object without a name.
  mutating func label(of id: ObjectID, _ reader: borrowing StoreReader) throws -> String {
    if let label = labels[id] { return label }
    let name = try reader.get(id).flatMap(name)
    let label = name.map { "\($0) (\(id.shortForm))" } ?? id.shortForm
    if labels.count < ObjectLabels.maximumCount { labels[id] = label }
    return label
  }

  /// Returns the name of an object, or `nil` without a name attribute or with an empty name.
  func name(of object: StoredObject) -> String? {
    guard let entity = model.entity(named: object.entity), let number = model.entities[entity].nameAttribute,
      case .string(let name) = object[model.entities[entity].attributes[number].name], !name.isEmpty
    else { return nil }
    return name
  }

  /// Returns the values at the end of a shown path as text, with commas between them; related objects by their labels.
  mutating func text(of shown: ShownValue, _ reader: borrowing StoreReader) throws -> String {
    var texts: [String] = []
    for value in shown.values where !value.isNull {
      if case .uuid(let id) = value, shown.path.leadsToObjects {
        texts.append(try label(of: id, reader))
      } else {
        texts.append(value.text(as: shown.path.path.type))
      }
    }
    return texts.joined(separator: ", ")
  }

  /// Returns the attributes of an object with their values as text, empty for null.
  mutating func values(of object: StoredObject) -> [(name: String, text: String)] {
    zip(object.values, encoder.types(of: object.entity)).map { ($0.name, $0.value.text(as: $1)) }
  }
}

#endif
