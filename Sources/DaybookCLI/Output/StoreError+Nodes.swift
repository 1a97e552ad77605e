#if Command

import Daybook

extension StoreError {
  /// The error of a command for nodes on a store whose journal is not replicated.
  init(notReplicated store: Store) {
    self.init(
      .badRequest, "The journal of \(store.path) is not replicated.",
      advice: "Make it the first node of a stream with `daybook replicate`, or another node with `daybook join`.")
  }
}

#endif
