import DaybookDiff
import DaybookModel
import DaybookRuntime

extension Change {
  /// Returns the key of a row that the change names, which is a group: the one of a group that is gone, too.
  public func key<Object>(of id: Group<Object>.ID) -> [Value]?
  where Difference == DaybookDiff.Difference<Group<Object>.ID> { keys[id] }
}
