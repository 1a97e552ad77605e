import Daybook
import DaybookModel

/// A file whose bytes are the value of an attribute of data: `{"file": "cake.jpg"}` in the JSON of an operation.
///
/// Who may read which file depends on where the operation comes from: a line of `daybook apply` names a path of its own
/// machine, a form of HTTP one of its parts. An attribute of a `Codable` value has such JSON as its value, so the form
/// stands for a file only where data is expected.
package struct FileReference: Hashable, Sendable {
  /// The path, or the name of the part.
  package let name: String

  /// Reads the reference, or returns `nil` for any other JSON.
  package init?(json: JSONValue) {
    guard let members = json.members, members.count == 1, members[0].key == "file",
      let name = members[0].value.stringValue
    else { return nil }
    self.name = name
  }
}
