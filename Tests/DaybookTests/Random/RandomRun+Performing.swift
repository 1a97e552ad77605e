import DaybookModel
import DaybookTestSupport
import Foundation

@testable import Daybook
@testable import DaybookRuntime

/// Performs planned commits: the store must refuse the same operations as the reference.
extension RandomRun {
  func perform(_ plans: [Plan]) throws {
    if plans.count == 1 {
      clock.now = plans[0].time
      return try expect(plans[0]) {
        try store.commit(CommitInfo(happenedAt: plans[0].happenedAt)) { try self.perform(plans[0], $0) }.position
      }
    }
    try store.writer.write { session in
      for plan in plans {
        clock.now = plan.time
        try expect(plan) {
          try session.commit(CommitInfo(happenedAt: plan.happenedAt)) { try self.perform(plan, $0) }.position
        }
      }
    }
  }

  private func expect(_ plan: Plan, _ write: () throws -> Position) throws {
    do {
      let position = try write()
      guard plan.refusal == nil, !plan.throwsInTheEnd else {
        throw Mismatch(
          "commit \(commitCount) should be refused: \(plan.refusal?.description ?? "it throws")\n\(text(plan))")
      }
      guard position.number == plan.position else {
        throw Mismatch("the commit has position \(position) instead of \(plan.position)\n\(text(plan))")
      }
    } catch is Stop where plan.throwsInTheEnd && plan.refusal == nil {
      return
    } catch let error as StoreError {
      // The store runs the session again.
      if error.damagedPath != nil { throw error }
      guard error.code == plan.refusal else {
        throw Mismatch(
          "refused with \(error.code) (\(error)) instead of \(plan.refusal?.description ?? "nothing")\n\(text(plan))")
      }
    }
  }

  private func perform(_ plan: Plan, _ tx: borrowing Transaction) throws {
    for step in plan.steps {
      do {
        try perform(step.operation, tx)
        if step.refusal != nil {
          throw Mismatch("\(step.operation) should be refused with \(step.refusal!)\n\(text(plan))")
        }
      } catch let error as StoreError {
        // The store runs the session again.
        if error.damagedPath != nil { throw error }
        guard error.code == step.refusal else {
          throw Mismatch(
            "\(step.operation): \(error.code) (\(error)) instead of \(step.refusal?.description ?? "none")\n\(text(plan))"
          )
        }
        if !plan.isForgiving { throw error }
      }
      if let peek = step.peek { try check(peek, tx) }
    }
    if plan.throwsInTheEnd { throw Stop() }
  }

  private func perform(_ operation: ReferenceOperation, _ tx: borrowing Transaction) throws {
    switch operation {
    case .insert(let entity, let values, let id): try tx.insert(entity, values, id: id)
    case .rename(let id, let name): try tx.rename(id, to: name)
    case .set(let id, let values): try tx.set(id, values)
    case .relate(let id, let name, let target, let place): try tx.relate(id, name, to: target, at: place)
    case .unrelate(let id, let name, let target): try tx.unrelate(id, name, from: target)
    case .delete(let id): try tx.delete(id)
    case .record(let name, let id, let values): try tx.record(name, about: id, values)
    }
  }

  func text(_ plan: Plan) -> String {
    let steps = plan.steps.map { "  \($0.operation)\($0.refusal.map { " -> \($0)" } ?? "")" }
    return steps.joined(separator: "\n") + "\nevents:\n" + plan.events.map { "  \($0)" }.joined(separator: "\n")
  }
}
