import DaybookModel

/// The commits that set the present values and links of an object.
///
///     let blame = try store.blame(of: cake)
///     for line in blame.lines { print(line.name, line.value, line.position, line.author ?? "") }
///
/// There is a line for each stored attribute, and then for each relationship to one, in the order of the model. A value
/// that the object had from the start is attributed to the commit that inserted the object; the default of an attribute
/// that was added later, to the commit of the model that added it. Writing a value again creates no event, and so
/// changes no line.
public struct Blame: Sendable, Hashable {
  /// The object.
  public let object: ObjectID
  /// The name of its entity.
  public let entity: String
  /// The position of the state that the lines describe.
  public let position: Position
  /// A line for each value and each link.
  public let lines: [Line]

  /// An attribute or a link, and the commit that set it.
  public struct Line: Sendable, Hashable {
    /// The name of the attribute or relationship in the model of the state.
    public let name: String
    /// The value; for a link, the target's id or null.
    public let value: Value
    /// The type of the attribute; for a link, the type of an id.
    public let type: AttributeType
    /// Whether the line describes a link to another object, and not a value.
    public let isLink: Bool
    /// The commit that set the value or link.
    public let position: Position
    /// The author of the commit, if known.
    public let author: String?
    /// The message of the commit, if any.
    public let message: String?
    /// The time when the commit was recorded.
    public let recordedAt: Timestamp
    /// The time when the commit happened according to the writer, if it is not the recorded time.
    public let happenedAt: Timestamp?
  }
}
