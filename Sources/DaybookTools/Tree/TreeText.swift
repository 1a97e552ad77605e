import DaybookDiff
import DaybookModel

/// Nested JSON of nodes in a list, each before its children.
enum TreeText {
  /// - Parameter members: Returns the JSON of a node without its closing brace.
  static func json(of nodes: [Forest<ObjectID>.Node], members: (ObjectID) -> String) -> String {
    var text = ""
    var last: Int?
    for node in nodes {
      if let last, node.level <= last {
        text += String(repeating: "]}", count: last - node.level + 1) + ", "
      }
      text += members(node.id) + #", "children": ["#
      last = node.level
    }
    return text + String(repeating: "]}", count: (last ?? -1) + 1)
  }
}
