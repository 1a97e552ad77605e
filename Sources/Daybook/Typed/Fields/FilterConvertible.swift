import DaybookQuery

/// A condition of a request: a ``Filter``, or a Boolean field.
public protocol FilterConvertible {
  /// The filter that matches the same objects as the condition.
  var filter: Filter { get }
}

extension Filter: FilterConvertible {
  public var filter: Filter { self }
}
