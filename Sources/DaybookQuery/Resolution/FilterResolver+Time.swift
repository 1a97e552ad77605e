import DaybookModel

extension FilterResolver {
  /// Returns the side of a test that is a time.
  func side(_ time: RelativeTime, _ word: String, _ written: Filter.Operand) throws(FilterFault) -> Side {
    if declares(word) {
      let entity = finder.model.entities[finder.entity].name
      throw FilterFault(
        message: "“\(word)” is a field of \(entity); write \(Filter.KeyPath.builtInPresent) for the present time",
        place: written.place)
    }
    guard let now else {
      throw FilterFault(
        message: "“\(word)” cannot be used here, where the outcome must not depend on the time", place: written.place)
    }
    return Side(operand: .value(.date(time.time(at: now))), list: [], written: written, time: time)
  }

  /// Returns whether the entity has a field with a name.
  func declares(_ name: String) -> Bool {
    let entity = finder.model.entities[finder.entity]
    return entity.attribute(named: name) != nil || entity.relationship(named: name) != nil
  }

  /// Checks that a time is compared with the dates of a path.
  func checkTime(_ subject: Side, _ other: Side, _ operation: Filter.Operator) throws(FilterFault) {
    if subject.time != nil {
      throw FilterFault(message: "“\(subject.name)” is compared with a path to dates", place: subject.place)
    }
    guard other.time != nil else { return }
    guard operation.flipped != nil else {
      throw FilterFault(
        message: "\(operation.rawValue) does not compare with a time; ==, !=, <, <=, > and >= do", place: other.place)
    }
    guard case .path(let path) = subject.operand, path.type == .date else {
      throw FilterFault(
        message: "“\(other.name)” is compared with a path to dates, and “\(subject.name)” is none", place: subject.place
      )
    }
  }
}
