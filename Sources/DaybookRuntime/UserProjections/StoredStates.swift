import DaybookEngine
import DaybookModel

/// The stored objects before and after one commit, all read by the present model.
struct StoredStates {
  let after: Reader
  let dependents: Dependents
  /// Returns a reader of the state before the commit.
  let before: () throws -> Reader
}

extension StoredStates {
  /// Makes the states around the last commit of a journal that is being written.
  ///
  /// The state before it is made once, by the first one who needs it.
  init(of present: State, in journal: LMDBJournal) {
    var before: Reader?
    self.init(after: present.reader, dependents: present.dependents) {
      if let before { return before }
      let former = Position(max(present.position.number, 2) - 1)
      let made = try present.moved(to: former, in: journal.adding([])).reader
      before = made
      return made
    }
  }
}
