import Daybook
import DaybookEngine
import DaybookModel

extension GroupColumns {
  /// The members of the group's JSON: `{"key": {"type.name": "Dessert"}, "values": {"count": 4}}`.
  var members: [(key: String, value: JSONValue)] {
    func object(_ columns: [NamedValue]) -> JSONValue { .object(columns.map { ($0.name, $0.value.json(as: $0.type)) }) }
    return [("key", object(key)), ("values", object(values))]
  }

  /// Returns the identity of a group: the values of its key.
  package static func json(ofKey key: [Value]) -> JSONValue {
    // No key is of a type whose JSON does not follow from the value.
    .array(key.map { $0.json(as: .string) })
  }
}
