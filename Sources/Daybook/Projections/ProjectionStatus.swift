import DaybookModel
import DaybookRuntime

/// The state of a projection in the store.
public struct ProjectionStatus: Hashable, Sendable {
  /// The projection's name.
  public let name: String
  /// The version of the rows that are read.
  public let version: Int
  /// The last commit that the projection has applied.
  public let checkpoint: Position
  /// The number of commits from the checkpoint to the head.
  public let lag: UInt64
  /// The number of quarantined and skipped commits.
  public let quarantineCount: Int
  /// The commit before which the projection has stopped, if any.
  public let stop: QuarantinedCommit?
  /// The last commit applied by an unfinished rebuild, if there is one.
  public let rebuild: Position?
  /// The derived entities of the rows, in the order of their declaration.
  public let entities: [String]
  /// When the projection applies commits; `nil` if this process does not know it.
  public let mode: ProjectionMode?
  /// A digest of all that the projection has written: rows with equal checkpoints and digests are equal, on any machine.
  package let digest: Digest
}
