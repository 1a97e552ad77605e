import DaybookEngine

extension EditingContext {
  /// The verbs of each step, in the order in which they were carried out.
  ///
  /// Another context at ``position`` that carries them out, step by step, has the same edits. New objects have their
  /// identities in the verbs.
  package var recordedSteps: [[Verb]] { locked { steps.map { $0.edits.map(\.verb) } } }
}
