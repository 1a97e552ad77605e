import DaybookQuery

/// What can be the condition of a request: a ``Filter``, or a field that is true or false.
public protocol FilterConvertible {
  /// The filter that is met where the condition is.
  var filter: Filter { get }
}

extension Filter: FilterConvertible {
  public var filter: Filter { self }
}
