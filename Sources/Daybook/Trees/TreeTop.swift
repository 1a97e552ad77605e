import DaybookEngine
import DaybookModel

/// The nodes at the top of a tree without a root, at a position.
///
/// Finding them takes a visit of all objects of the entity, so a feed keeps them.
struct TreeTop: Sendable {
  let position: Position
  let keys: [SiblingKey]
}
