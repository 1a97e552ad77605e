import DaybookModel
import DaybookTestSupport
import Foundation

@testable import Daybook
@testable import DaybookRuntime

/// Plans commits: the operations, the refusals, and the events.
extension RandomRun {
  struct Step {
    let operation: ReferenceOperation
    let refusal: StoreError.Code?
    /// The state that the write must see after it, or `nil` to skip the check.
    let peek: ReferenceState?
  }

  struct Plan {
    var steps: [Step] = []
    var time: Timestamp
    var happenedAt: Timestamp?
    /// Whether the closure continues after an error.
    var isForgiving: Bool
    var throwsInTheEnd: Bool
    var refusal: StoreError.Code?
    var events: [ReferenceEvent] = []
    var position: UInt64 = 0
    var recordedAt: Timestamp
  }

  struct Stop: Error {}

  func plan() -> Plan {
    let time = Timestamp(microseconds: clock.now.microseconds + Int64(random.number(-1...4)) * 250_000)
    clock.now = time
    var plan = Plan(
      time: time, isForgiving: random.isTrue(percent: 50), throwsInTheEnd: random.isTrue(percent: 3),
      recordedAt: max(time, lastRecordedAt))
    if random.isTrue(percent: 15) {
      plan.happenedAt = Timestamp(microseconds: time.microseconds - Int64(random.number(-9...9)) * 1_000_000)
    }
    reference.begin(time: plan.happenedAt ?? plan.recordedAt)
    let count = random.number(1...20)
    while plan.steps.count < count, plan.refusal == nil {
      for operation in source.operations(reference.draft, limit: settings.objectLimit) where plan.refusal == nil {
        let refusal = reference.apply(operation)
        let peek = random.isTrue(percent: 3) ? reference.draft : nil
        plan.steps.append(Step(operation: operation, refusal: refusal, peek: peek))
        if !plan.isForgiving { plan.refusal = refusal }
      }
    }
    if plan.refusal != nil || plan.throwsInTheEnd {
      reference.rollBack()
    } else {
      plan.events = reference.events
      plan.refusal = reference.commit()
    }
    if plan.refusal != nil || plan.throwsInTheEnd { plan.events = [] }
    if !plan.events.isEmpty { lastRecordedAt = plan.recordedAt }
    plan.position = reference.state.position
    return plan
  }
}
