#if Import

import DaybookModel

/// The numbers of one import, for the report.
///
/// A store can run the closure of a write again, so a closure begins with no numbers.
struct ImportTally {
  /// The number of links that were read, by the relationship of the imported model.
  var linkCounts: [SourceField: Int] = [:]
  /// What a source reports of the links of each relationship.
  var linkNotes: [SourceField: [SourceNote]] = [:]
  /// What was changed in the store as well as in the source.
  private(set) var conflicts: [ValueReport] = []
  /// Facts about the import as a whole.
  var notes: [String] = []
  /// What became of the objects of each entity of the imported model.
  private(set) var changes: [String: ObjectChanges] = [:]
  private var places: [String: Int] = [:]

  /// Counts an object that was inserted, changed or deleted.
  mutating func count(_ change: WritableKeyPath<ObjectChanges, Int>, of entity: String) {
    changes[entity, default: ObjectChanges()][keyPath: change] += 1
  }

  /// Counts a conflict.
  mutating func addConflict(_ what: String, _ first: String, was: String? = nil, became: String? = nil) {
    if let place = places[what] {
      conflicts[place].count += 1
    } else {
      places[what] = conflicts.count
      conflicts.append(ValueReport(what, count: 1, first: first, was: was, became: became))
    }
  }
}

#endif
