import Daybook
import DaybookModel

extension ShownValue {
  /// One value, or a list for a path over a to-many relationship.
  private var json: JSONValue {
    let type = path.path.type
    let list = values.map { $0.json(as: type) }
    return path.path.isMany ? .array(list) : list.first ?? .null
  }

  /// Returns the member of an object's JSON with the values that a request shows of it, by path.
  package static func member(_ shown: [ShownValue]) -> (key: String, value: JSONValue) {
    ("shown", .object(shown.map { ($0.path.name, $0.json) }))
  }
}
