/// What a ``Change`` can hold: the difference of a list or of a tree.
public protocol ResultDifference: Hashable, Sendable {
  /// The identity of a row.
  associatedtype RowID: Hashable & Sendable

  /// The difference between two equal results.
  static var _none: Self { get }
  /// Whether the two results are equal.
  var isEmpty: Bool { get }
}

extension Difference: ResultDifference {
  public static var _none: Difference { Difference(sections: [], rows: []) }
}

extension TreeDifference: ResultDifference {
  public static var _none: TreeDifference { TreeDifference([]) }
}
