import DaybookEngine
import DaybookModel
import DaybookRuntime
import WorkLimits

/// What the rules that a new model adds are checked against.
public enum RuleScope: Hashable, Sendable {
  /// All objects of the store: a model with a rule that one of them breaks is refused.
  case allObjects
  /// What commits change from now on.
  case newValues
}

extension Store {
  /// Returns the steps of applying another model, one line each; empty if the models are equal.
  ///
  /// - Parameters:
  ///   - model: The other model.
  ///   - scope: What new rules are checked against.
  /// - Throws: `StoreError` with the code `badModel` if the model is invalid, or differs in a way that cannot be
  ///   applied.
  public func plan(_ model: Model, checking scope: RuleScope = .allObjects) throws -> [String] {
    try read { reader in
      let (change, rules) = try reader.resolvedModel.change(to: model)
      try reader.reader.check(change.checks, in: reader.resolvedModel)
      if scope == .allObjects { try reader.reader.check(rules, of: change) }
      return change.steps
    }
  }

  /// Replaces the store's model, in one commit that touches no object.
  ///
  /// Renamed parts keep their values, removed parts are hidden and keep their values in the journal, and the default of
  /// an added attribute is supplied on reading. New indexes, constraints and derived values are built before the commit
  /// is visible.
  ///
  /// A rule that is new is checked against the objects of the store, unless the caller specifies that only new values
  /// are: an object that breaks the rule then stays as it is, until a commit changes what the rule is about.
  ///
  /// If `info` has a commit id that the journal contains, nothing is applied, and the known position is returned.
  ///
  /// - Parameters:
  ///   - model: The new model.
  ///   - scope: What new rules are checked against.
  ///   - info: The author, the message and the like.
  /// - Returns: The position of the commit, or the head if nothing changed; and the applied steps, empty for a commit
  ///   that existed before.
  /// - Throws: `StoreError`: `badModel` if the model is invalid or cannot follow the present one, objects break a new
  ///   rule, or an entity has the name of a derived entity of ``StoreOptions/projections``, with advice;
  ///   `constraint` if objects collide in a new uniqueness constraint, or a new sum does not fit its type;
  ///   `conditionFailed` if the condition in `info` does not hold.
  /// - Complexity: O(*n* log *n*) for *n* objects of the entities that get new indexes or rules.
  @discardableResult
  public func apply(
    _ model: Model, checking scope: RuleScope = .allObjects, info: CommitInfo = CommitInfo()
  ) throws -> (position: Position, steps: [String]) {
    try writer.write { try apply(model, checking: scope, info: info, in: $0) }
  }

  /// Replaces the model in a session, which may have other commits before and after this one.
  ///
  /// - Throws: The errors of ``apply(_:checking:info:)``.
  package func apply(
    _ model: Model, checking scope: RuleScope = .allObjects, info: CommitInfo, in session: WriteSession
  ) throws -> (position: Position, steps: [String]) {
    if let id = info.commitID, let known = try session.journalReader.position(ofCommitID: id) { return (known, []) }
    let change = try WorkAllowance(options.writeEvaluationTimeLimit).spend {
      let (change, rules) = try session.model.change(to: model)
      if change.isEmpty { return change }
      try options.checkNames(in: change.model, after: session.model)
      try session.reader.check(change.checks, in: session.model)
      if scope == .allObjects { try session.reader.check(rules, of: change) }
      return change
    }
    guard !change.isEmpty else { return (session.head, []) }
    return (try session.commit(model: change.model, info), change.steps)
  }
}

private extension ResolvedModel {
  /// Returns the change to another model, and the rules of that one.
  func change(to model: Model) throws -> (ModelChange, ModelRules) {
    do {
      let change = try evolved(to: model)
      let rules = ModelRules(change.model)
      try rules.check(defaultsOf: change.model)
      return (change, rules)
    } catch let error as ModelError {
      throw StoreError(.badModel, "\(error)")
    }
  }
}
