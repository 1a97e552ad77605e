import Daybook
import DaybookEngine
import DaybookModel

extension Reader {
  func treePaths(
    from root: ObjectID?, showing attributes: [String], decodingNames decode: (String) -> [UInt8]
  ) throws -> TreePaths {
    var walk = try TreeWalk(self, showing: attributes, repetition: .walked, isSorted: false)
    return try TreePaths(&walk, from: root, decoding: decode)
  }
}
