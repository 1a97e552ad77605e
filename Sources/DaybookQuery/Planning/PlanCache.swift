import DaybookModel

/// The plans of a store's last requests, for requests that differ from these only in constants, limit and offset.
///
/// A program makes few requests in its code, each with other constants: a page after a key, the tasks of a category.
/// Finding names and planning take a fifth of the time of a page; taking the plan of a request of the same shape and
/// replacing its constants takes a small part of that.
///
/// The choice of a plan depends on the model and on the shape: which paths are compared with which types of values. It
/// depends on the constants themselves only where lists of values multiply, or where keys are cut. So requests with lists,
/// long constants or other conditions than a conjunction of comparisons with values are planned each time
/// (``PlanShape``). An entry counts only for the model for which it was made.
///
/// Resolving a grouping makes a model of its groups, which takes several times as long as reading a page of declared groups:
/// a request for groups of all objects is kept with that model, for requests that differ in limit and offset.
package final class PlanCache: Sendable {
  /// The entries of the last model.
  private let entries = Locked<[PlanShape]>([])

  /// The most requests that are kept; a further one replaces the oldest.
  package static let maximumCount = 32

  package init() {}

  /// The number of requests that are kept.
  package var count: Int { entries.withLock { $0.count } }

  /// Resolves and plans a request, as ``Planner`` does.
  ///
  /// - Throws: The errors of ``ResolvedRequest``.
  package func plan(_ request: FetchRequest, in model: ResolvedModel) throws(QueryError) -> PlannedRequest {
    let kept = entries.withLock { $0 }
    for entry in kept where entry.isShape(of: request, in: model) {
      if let planned = entry.planned(request) { return planned }
      return try PlannedRequest(resolving: request, in: model)
    }
    let planned = try PlannedRequest(resolving: request, in: model)
    if let shape = PlanShape(planned, in: model) { keep(shape) }
    return planned
  }

  private func keep(_ shape: PlanShape) {
    entries.withLock { entries in
      entries.removeAll { $0.model !== shape.model }
      if entries.count == PlanCache.maximumCount { entries.removeFirst() }
      entries.append(shape)
    }
  }
}

/// A resolved request with its plan.
package struct PlannedRequest: Sendable {
  package let request: ResolvedRequest
  package let plan: Plan

  package init(_ request: ResolvedRequest, in model: ResolvedModel, usesConstraints: Bool = true) {
    self.init(request, Planner.plan(request, in: model, usesConstraints: usesConstraints))
  }

  /// Resolves and plans a request; the plan of a grouped one is about its groups, in the model of their rows.
  ///
  /// - Throws: The errors of ``ResolvedRequest``.
  package init(
    resolving request: FetchRequest, in model: ResolvedModel, usesConstraints: Bool = true
  ) throws(QueryError) {
    let resolved = try ResolvedRequest(request, in: model)
    self.init(resolved, in: resolved.grouping?.rowModel ?? model, usesConstraints: usesConstraints)
  }

  init(_ request: ResolvedRequest, _ plan: Plan) {
    self.request = request
    self.plan = plan
  }
}
