import DaybookModel

extension CommitInfo {
  /// Returns this information with what the task's context and its tracer supply; its own values win.
  ///
  /// Completing it again changes nothing.
  package func completed() -> CommitInfo {
    let context = CommitContext.current
    var info = self
    info.author = author ?? context.author
    info.message = message ?? context.message
    info.causation = causation ?? context.causation
    info.correlation = correlation ?? context.correlation
    if !context.metadata.isEmpty { info.metadata = context.metadata.merging(metadata) }
    info.metadata = info.metadata.addingTraceContext()
    return info
  }
}
