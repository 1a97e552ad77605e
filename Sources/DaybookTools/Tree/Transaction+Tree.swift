import Daybook
import DaybookModel

extension Transaction {
  /// Returns the leaves of the tree in the state of this write.
  ///
  /// See ``StoreReader/treePaths(from:showing:decodingNames:)``.
  package func treePaths(
    from root: ObjectID? = nil, showing attributes: [String] = [],
    decodingNames decode: (String) -> [UInt8] = { Array($0.utf8) }
  ) throws -> TreePaths {
    try builder.fold.settle()
    return try builder.reader.treePaths(from: root, showing: attributes, decodingNames: decode)
  }
}
