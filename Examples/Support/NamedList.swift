import DaybookMacros
import DaybookModel

/// A list that a page shows: a request with a name.
///
///     NamedList("tasks", Task.all.sectioned(by: \.category.name).sorted(by: \.due))
///     NamedList("children") { input in SecondLevel.where { try $0.parent == input.id("of") }.sorted(by: \.name) }
///
/// The page asks for the request by its name, follows it, and reads it at earlier positions.
package struct NamedList: Sendable {
  let name: String
  let request: @Sendable (Input) throws -> Request<StoredObject>

  package init<Object>(_ name: String, _ request: Request<Record<Object>>) {
    self.name = name
    self.request = { _ in request.untyped }
  }

  /// - Parameter request: Returns the request for what the page sent.
  package init<Object>(_ name: String, _ request: @escaping @Sendable (Input) throws -> Request<Record<Object>>) {
    self.name = name
    self.request = { try request($0).untyped }
  }
}

extension Request<StoredObject> {
  /// The request as the page's modules and the parameters of the interface name its parts.
  var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = [("entity", .string(entity))]
    if let filter { members.append(("where", .string("\(filter)"))) }
    members.append(("sort", .array(sort.map { .string("\($0)") })))
    if let section { members.append(("section", .string("\(section)"))) }
    if timeZone != "UTC" { members.append(("timezone", .string(timeZone))) }
    return .object(members)
  }
}
