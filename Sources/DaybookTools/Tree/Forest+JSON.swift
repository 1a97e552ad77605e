import Daybook
import DaybookDiff
import DaybookModel

extension Forest<ObjectID> {
  /// Returns the nodes as nested JSON: `[{"id": "...", "children": [...]}]`.
  package var json: String {
    let text = TreeText.json(of: nodes) { #"{"id": "\#($0)""# }
    return "[\(text)]"
  }

  /// Returns the nodes with their objects as nested JSON, as `/api/tree` has them, with all else of the objects.
  ///
  ///     [{"id": "...", "entity": "Folder", "createdAt": "...", ..., "name": "...", "childCount": 1, "children": [...]}]
  ///
  /// - Parameters:
  ///   - reader: Reads the position of the tree.
  ///   - depth: The levels below the top to write; the nodes below them only count as children. `nil` for all.
  package func json(_ reader: borrowing StoreReader, depth: Int?) throws -> String {
    let model = reader.resolvedModel
    var encoder = ObjectEncoder(model)
    var texts: [ObjectID: String] = [:]
    let nodes = nodes.filter { depth == nil || $0.level <= depth ?? 0 }
    for node in nodes {
      guard let object = try reader.get(node.id), let entity = model.entity(named: object.entity) else { continue }
      let attribute = model.entities[entity].nameAttribute.map { model.entities[entity].attributes[$0].name }
      let name = object.values.first { $0.name == attribute }.map { $0.value.isNull ? "" : "\($0.value)" } ?? ""
      let members =
        encoder.members(of: object) + [
          ("name", .string(name)), ("childCount", .integer(Int64(childCounts[node.id] ?? 0))),
        ]
      texts[node.id] = String(JSONValue.object(members).text.dropLast())
    }
    let text = TreeText.json(of: nodes) { texts[$0] ?? #"{"id": "\#($0)""# }
    return "[\(text)]"
  }

  /// The numbers of children of the nodes that have any.
  private var childCounts: [ObjectID: Int] {
    var counts: [ObjectID: Int] = [:]
    var path: [ObjectID] = []
    for node in nodes {
      path.removeLast(path.count - node.level)
      if let parent = path.last { counts[parent, default: 0] += 1 }
      path.append(node.id)
    }
    return counts
  }
}
