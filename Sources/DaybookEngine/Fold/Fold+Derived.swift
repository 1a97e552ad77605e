import DaybookModel
import LMDB

/// Computes derived values.
///
/// Sums are exact (``NumberSum``), so a value kept up to date and a value built from nothing agree to the last bit. Counts
/// and sums of integers and decimals are updated by what is added and removed. A sum of doubles is computed again, because
/// the stored value is rounded. Minima and maxima are searched again when the present extreme may have been removed.
///
/// A sum that no value of its type can hold (more than 64 bits, more than 38 digits, beyond the range of doubles,
/// infinities of both signs) is null until its parts fit again. The fold never refuses such a sum, because it must be
/// able to fold every journal. The writer checks with ``Fold/overflows`` that a write does not end with such a sum.
extension Fold {
  struct DerivedKey: Hashable {
    /// The object by the root of its hierarchy.
    let object: ObjectKey
    let attribute: Int
  }

  struct DerivedChange {
    /// The amount by which a count grows.
    var count: Int64 = 0
    /// The amount by which a sum of integers or decimals grows.
    var sum: NumberSum?
    /// The least or the greatest of the added values.
    var candidate = Value.null
    var needsScan = false
  }

  /// Records an added or removed link for the values that its source derives over it.
  func noteLink(
    from source: ObjectKey, over reference: RelationshipReference, to target: ObjectKey, isAdded: Bool
  ) throws {
    guard parts.contains(.derived) else { return }
    for attribute in dependents.entities[source.entity].derivedOverLinks[reference.relationship] {
      let resolved = model.entities[source.entity].attributes[attribute]
      guard let derivation = resolved.derivation else { continue }
      let key = DerivedKey(object: rootKey(source), attribute: attribute)
      if derivation.kind == .count {
        derived[key, default: DerivedChange()].count += isAdded ? 1 : -1
        continue
      }
      guard let number = derivation.attribute, let record = try unsafe unsafeRecord(of: target) else { continue }
      let value = try RecordView(record).value(of: model.entities[target.entity].attributes[number])
      try note(value, in: key, resolved, isAdded: isAdded)
    }
  }

  /// Records a changed attribute for the values that other objects derive from it.
  func noteChange(of attribute: Int, in index: Int, from old: FieldView, to new: FieldView) throws {
    guard parts.contains(.derived) else { return }
    let key = changes[index].key
    let dependents = self.dependents.entities[key.entity].derivedFromAttributes[attribute]
    guard !dependents.isEmpty else { return }
    let source = model.entities[key.entity].attributes[attribute]
    let oldValue = old.form == .absent ? source.missingValue : try old.value()
    let newValue = new.form == .absent ? source.missingValue : try new.value()
    for values in dependents {
      let entity = values.entity
      let resolved = model.entities[entity].attributes[values.attribute]
      for id in try targets(of: values.inverse, from: key.id) {
        let object = ObjectKey(entity: entity, id: id)
        // The way back leads to objects of other entities of a hierarchy too.
        if flatModel.entities[entity].hasRelatives, try unsafe unsafeRecord(of: object) == nil { continue }
        let derivedKey = DerivedKey(object: rootKey(object), attribute: values.attribute)
        try note(oldValue, in: derivedKey, resolved, isAdded: false)
        try note(newValue, in: derivedKey, resolved, isAdded: true)
      }
    }
  }

  private func note(
    _ value: Value, in key: DerivedKey, _ attribute: ResolvedAttribute, isAdded: Bool
  ) throws {
    guard !value.isNull, let kind = attribute.derivation?.kind else { return }
    var change = derived[key] ?? DerivedChange()
    switch (kind, value) {
    case (.sum, .integer), (.sum, .decimal):
      var sum = change.sum ?? NumberSum(of: attribute.type)
      if isAdded { sum.add(value) } else { sum.remove(value) }
      change.sum = sum
    case (.minimum, _), (.maximum, _):
      if isAdded {
        change.candidate = better(change.candidate, value, attribute)
      } else if try mayBeExtreme(value, in: key, attribute, candidate: change.candidate) {
        change.needsScan = true
      }
    default: change.needsScan = true
    }
    derived[key] = change
  }

  private func mayBeExtreme(
    _ value: Value, in key: DerivedKey, _ attribute: ResolvedAttribute, candidate: Value
  ) throws -> Bool {
    guard let record = try unsafe unsafeRecord(of: key.object) else { return true }
    let present = better(try RecordView(record).value(of: attribute), candidate, attribute)
    return ValueOrder.compare(better(present, value, attribute), value, order: attribute.order) == 0
  }

  /// Returns the lesser or the greater of two values; null is ignored.
  private func better(_ a: Value, _ b: Value, _ attribute: ResolvedAttribute) -> Value {
    if a.isNull { return b }
    if b.isNull { return a }
    let order = ValueOrder.compare(a, b, order: attribute.order)
    return (attribute.derivation?.kind == .minimum) == (order <= 0) ? a : b
  }

  /// Drops the recorded changes for an object that is deleted.
  ///
  /// The object has no links left, and an object inserted under its id in the same commit begins without any.
  func forgetDerived(of object: ObjectKey) {
    guard !derived.isEmpty else { return }
    for (number, attribute) in model.entities[object.entity].attributes.enumerated() where attribute.derivation != nil {
      derived[DerivedKey(object: rootKey(object), attribute: number)] = nil
    }
  }

  /// Records that all derived values of an object are to be computed again.
  func scanDerived(of object: ObjectKey) {
    guard parts.contains(.derived) else { return }
    for (number, attribute) in model.entities[object.entity].attributes.enumerated() where attribute.derivation != nil {
      derived[DerivedKey(object: rootKey(object), attribute: number), default: DerivedChange()].needsScan = true
    }
  }

  /// Updates the derived values for which changes were recorded.
  func settleDerived() throws {
    guard !derived.isEmpty else { return }
    let noted = derived
    derived.removeAll(keepingCapacity: true)
    for (key, change) in noted {
      let index = try touch(key.object)
      guard isLive(index) else { continue }
      let attribute = model.entities[key.object.entity].attributes[key.attribute]
      let old = try unsafe RecordView(changes[index].current.unsafeSpan).value(of: attribute)
      let new = try value(of: attribute, in: key.object, from: old, change)
      if attribute.derivation?.kind == .sum {
        if new.isNull { overflows.insert(key) } else if !overflows.isEmpty { overflows.remove(key) }
      }
      guard new != old else { continue }
      try take(dependents.entities[changes[index].key.entity].attributes[key.attribute], of: index)
      try setDerived(attribute, of: index, to: new)
    }
  }

  /// Returns the sums among ``overflows`` whose objects still exist and have no value for them.
  func standingOverflows() throws -> [Violation] {
    guard !overflows.isEmpty else { return [] }
    let sorted = overflows.sorted { ($0.object.id, $0.attribute) < ($1.object.id, $1.attribute) }
    return try sorted.compactMap { key in
      guard let record = try unsafe unsafeRecord(of: key.object), isLive(record) else { return nil }
      let attribute = model.entities[key.object.entity].attributes[key.attribute]
      guard try RecordView(record).value(of: attribute).isNull else { return nil }
      let entity = try concrete(key.object).entity
      return .overflow(entity: entity, attribute: key.attribute, object: key.object.id)
    }
  }

  /// Writes a derived value into an object's record.
  ///
  /// A value that a missing field represents is stored without a field.
  func setDerived(_ attribute: ResolvedAttribute, of index: Int, to value: Value) throws {
    let stamps = try stamps(index)
    if value == attribute.missingValue { return try replaceField(index, attribute.tag, with: nil, stamps: stamps) }
    var field: [UInt8] = []
    field.appendField(attribute.tag, value)
    try replaceField(index, attribute.tag, with: field.rawSpan, stamps: stamps)
  }

  /// Computes derived values of an object that is already in the tables.
  ///
  /// The object's record is stored in the layer if any of the values has changed.
  ///
  /// - Returns: The computed sums that overflow.
  func setDerived(_ attributes: [Int], of object: ObjectKey) throws -> [Violation] {
    defer { reset() }
    var violations: [Violation] = []
    let index = try touch(object)
    for number in attributes {
      let attribute = model.entities[object.entity].attributes[number]
      let old = try unsafe RecordView(changes[index].current.unsafeSpan).value(of: attribute)
      let new = try derivedValue(of: attribute, in: object)
      if new.isNull, attribute.derivation?.kind == .sum {
        violations.append(.overflow(entity: object.entity, attribute: number, object: object.id))
      }
      if new != old { try setDerived(attribute, of: index, to: new) }
    }
    settleRecord(index)
    return violations
  }

  private func value(
    of attribute: ResolvedAttribute, in object: ObjectKey, from old: Value, _ change: DerivedChange
  ) throws -> Value {
    if change.needsScan { return try derivedValue(of: attribute, in: object) }
    if !change.candidate.isNull { return better(old, change.candidate, attribute) }
    if var sum = change.sum {
      // The growth of a sum that has no value does not determine its value.
      if old.isNull { return try derivedValue(of: attribute, in: object) }
      sum.add(old)
      return Fold.value(of: sum)
    }
    guard case .integer(let number) = old else { return old }
    return .integer(number &+ change.count)
  }

  /// Returns a sum as a value, which is null if no value of the type can hold it.
  private static func value(of sum: NumberSum) -> Value {
    do throws(SumFault) {
      return try sum.sum()
    } catch {
      return .null
    }
  }

  /// Computes a derived value from all related objects.
  ///
  /// - Complexity: O(*k*) for *k* related objects.
  func derivedValue(of attribute: ResolvedAttribute, in object: ObjectKey) throws -> Value {
    guard let derivation = attribute.derivation else { return .null }
    let reference = RelationshipReference(entity: object.entity, relationship: derivation.relationship)
    let targets = try targets(of: reference, from: object.id)
    guard let number = derivation.attribute else { return .integer(Int64(targets.count)) }
    let entity = model[reference].target
    let source = model.entities[entity].attributes[number]
    var result = attribute.missingValue
    var sum = derivation.kind == .sum ? NumberSum(of: attribute.type) : nil
    for id in targets {
      guard let record = try unsafe unsafeRecord(of: ObjectKey(entity: entity, id: id)) else { continue }
      let value = try RecordView(record).value(of: source)
      if sum == nil { result = better(result, value, attribute) } else { sum?.add(value) }
    }
    return sum.map { Fold.value(of: $0) } ?? result
  }
}
