import DaybookModel
import DaybookQuery

/// The region of a model that a request reads: its order, its paths and the attributes at their ends.
///
/// If the regions of a request are equal in two models, a difference between results under the two models is meaningful.
/// The parts are compared by their tags, which mean the same in both models.
package struct RequestRegion: Hashable {
  private let entity: Tag
  private let order: [Term]
  private let paths: [ResolvedPath.Tags]
  private let attributes: [AttributeFacts]
  /// The paths of keys and values, if the objects are grouped.
  private let grouped: [ResolvedPath.Tags?]
  /// The names and places of all entities whose objects may be rows, or at the ends of paths, in a hierarchy.
  private let hierarchies: [[Member]]

  private struct Term: Hashable {
    let path: ResolvedPath.Tags
    let isDescending: Bool
    let type: AttributeType
    let order: StringOrder
    let movesNull: Bool
  }

  private struct AttributeFacts: Hashable {
    let missing: Value
    let derivation: ResolvedDerivation?
  }

  private struct Member: Hashable {
    let tag: Tag
    let name: String
  }

  package init(_ request: ResolvedRequest, in model: ResolvedModel) {
    grouped =
      request.grouping.map { grouping in
        grouping.keys.map { $0.path.tags(in: model) } + grouping.values.map { $0.path?.tags(in: model) }
      } ?? []
    let request = request.objects
    entity = model.entities[request.entity].tag
    order = request.terms.map { term in
      Term(
        path: term.path.tags(in: model), isDescending: term.isDescending, type: term.type, order: term.order,
        movesNull: term.movesNull)
    }
    let all = request.terms.map(\.path) + request.statePaths
    paths = all.map { $0.tags(in: model) }
    attributes = all.compactMap { path in
      guard case .attribute(let number) = path.field else { return nil }
      let attribute = model.entities[path.end].attributes[number]
      return AttributeFacts(missing: attribute.missingValue, derivation: attribute.derivation)
    }
    hierarchies = ([request.entity] + all.map(\.end)).filter { model.entities[$0].hasRelatives }.map { entity in
      model.members(of: entity).map { model.entities[$0] }.filter { !$0.isRetired }
        .map { Member(tag: $0.tag, name: $0.name) }
    }
  }
}
