extension CommitReasons {
  /// Returns why no journal can contain a commit with these reasons, as half a sentence, or `nil` if one can.
  ///
  /// Whether a cause that is named by its commit id exists is not checked.
  ///
  /// - Parameters:
  ///   - position: The commit's position.
  ///   - isModel: Whether it is the commit of a model.
  ///   - models: The positions of the commits of a model before it, rising.
  package func fault(at position: Position, isModel: Bool, models: [Position]) -> String? {
    do throws(MetadataFault) {
      _ = try decodedMetadata()
    } catch {
      return "its metadata are wrong: \(error)"
    }
    if let size = correlation?.utf8.count, size > CommitLimits.maximumCorrelationSizeInBytes {
      return "its correlation has \(size) bytes; \(CommitLimits.maximumCorrelationSizeInBytes) are allowed"
    }
    if case .position(let cause) = causation, cause == .empty || cause >= position {
      return "its cause is commit \(cause), which is not before it"
    }
    for (list, verb) in [(undoes, "undoes"), (redoes, "redoes")] {
      guard let last = list.last else { continue }
      if isModel { return "it is a model, but \(verb) commits" }
      if last >= position { return "it \(verb) commit \(last), which is not before it" }
      if let model = models.first(where: list.contains) { return "it \(verb) commit \(model), which is a model" }
    }
    return nil
  }
}
