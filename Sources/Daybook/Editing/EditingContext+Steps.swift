import DaybookEngine
import DaybookModel

extension EditingContext {
  /// The model at ``position``.
  package var model: ResolvedModel { locked { root.base.model } }

  /// The verbs of each step, in the order in which they were carried out, with the names of ``model``.
  ///
  /// Another context at ``position`` that carries them out, step by step, has the same edits. New objects have their
  /// identities in the verbs.
  package var recordedSteps: [[Verb]] {
    locked { steps.map { step in step.edits.compactMap { $0.verb.named(in: root.base.model) } } }
  }
}
