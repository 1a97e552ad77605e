import DaybookModel
import DaybookQuery

extension ResolvedRequest {
  /// Returns the dependencies of the request's rows.
  ///
  /// The request reads values by its filter, order, sections and shown values, also through relationships and derived
  /// attributes.
  package func dependencies(in model: ResolvedModel) -> Set<Dependency> {
    let paths = terms.map(\.path) + statePaths
    return Set(paths.flatMap { Dependency.recorded(of: $0, in: model) } + [Dependency(.existence(entity: entity))])
  }
}
