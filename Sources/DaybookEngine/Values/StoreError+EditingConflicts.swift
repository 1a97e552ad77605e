extension StoreError {
  /// Makes the error for conflicts that no policy has decided.
  package init(undecided conflicts: [EditingConflict]) {
    let shown = conflicts.prefix(20).map(\.description).joined(separator: "; ")
    let more = conflicts.count > 20 ? "; and \(conflicts.count - 20) more" : ""
    self.init(
      .conflict, "Later commits changed what is edited here: \(shown)\(more).",
      advice: "Save again with a policy that decides.", editingConflicts: conflicts)
  }
}
