import Daybook
import DaybookDiff
import DaybookModel

extension Forest<ObjectID> {
  /// Returns the nodes as nested JSON: `[{"id": "...", "children": [...]}]`.
  package var json: String {
    let text = TreeText.json(of: nodes) { #"{"id": "\#($0)""# }
    return "[\(text)]"
  }
}
