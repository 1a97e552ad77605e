import Daybook
import DaybookDiff
import DaybookModel

extension TreeChange {
  /// Returns the command line's JSON in one line: positions, and the changed nodes with their paths.
  ///
  ///     {"from": 5, "to": 7, "nodes": [{"change": "insert", "id": "...", "to": [1, 0], "node": {..., "children": []}}]}
  ///
  /// It is text and not a value, because the nesting of an inserted branch has no limit.
  ///
  /// - Parameter model: The model of the new position.
  package func json(by model: ResolvedModel) -> String {
    let head = #"{"from": \#(from.json.text), "to": \#(to.json.text)"#
    if isReset { return head + #", "reset": true}"# }
    var writer = NodeWriter(encoder: ObjectEncoder(model), objects: objects, childCounts: childCounts)
    let nodes = difference.nodes.map { writer.json(of: $0) }
    return head + #", "nodes": [\#(nodes.joined(separator: ", "))]}"#
  }
}

/// Writes the changes of nodes.
private struct NodeWriter {
  var encoder: ObjectEncoder
  let objects: [ObjectID: StoredObject]
  let childCounts: [ObjectID: Int]

  mutating func json(of change: NodeChange<ObjectID>) -> String {
    var text = #"{"change": "\#(change.word)", "id": "\#(change.id)""#
    if let from = change.from { text += #", "from": \#(from)"# }
    if let to = change.to { text += #", "to": \#(to)"# }
    switch change {
    case .delete: return text + "}"
    case .move(let id, _, _), .update(let id, _, _): return text + #", "node": \#(members(of: id))}}"#
    case .insert(let id, let below, _):
      let nodes = [.init(id, level: 0)] + below.nodes.map { Forest<ObjectID>.Node($0.id, level: $0.level + 1) }
      return text + #", "node": \#(TreeText.json(of: nodes) { members(of: $0) })}"#
    }
  }

  /// Returns the JSON of an object without its closing brace.
  private mutating func members(of id: ObjectID) -> String {
    guard let object = objects[id] else { return #"{"id": "\#(id)""# }
    let count = childCounts[id].map { [(key: "childCount", value: JSONValue.integer(Int64($0)))] } ?? []
    return String(JSONValue.object(encoder.members(of: object) + count).text.dropLast())
  }
}
