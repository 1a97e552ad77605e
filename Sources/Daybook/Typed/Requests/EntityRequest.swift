import DaybookModel
import DaybookQuery

/// A ``FetchRequest`` whose rows are structs.
///
///     let request = Recipe.where { $0.type.name == "Dessert" && $0.servings > 4 }
///       .sorted(by: \.name)
///       .sectioned(by: \.type.name)
///     for section in try store.fetch(request).sections { ... }
///
/// It is a way to write a request, and adds nothing to what requests can ask: ``request`` is the same as the one with
/// the filter's text and the names of the fields.
public struct EntityRequest<Object: Storable>: Hashable, Sendable {
  /// The request in the words of the model.
  public var request: FetchRequest
  /// The relationships whose objects are read together with the rows.
  var prefetched: [[String]] = []

  /// A request for all objects of the entity.
  public init() { request = FetchRequest(entity: Object.entityName) }

  /// A request that was put together in the words of the model.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if it is for another entity.
  public init(_ request: FetchRequest) throws {
    guard request.entity == Object.entityName else {
      throw StoreError(.badRequest, "The request is for \(request.entity), and not for \(Object.entityName).")
    }
    self.request = request
  }

  func with(_ change: (inout EntityRequest) -> Void) -> EntityRequest {
    var copy = self
    change(&copy)
    return copy
  }

  static func names(_ field: KeyPath<Object.Fields, some FieldReference>) -> [String] {
    Object.Fields(at: .object)[keyPath: field].fieldPath.names
  }
}

extension Storable {
  /// A request for all objects of the entity.
  public static var all: EntityRequest<Self> { EntityRequest() }

  /// A request for the objects that meet a condition.
  ///
  ///     Recipe.where { $0.servings > 4 }
  ///     Task.where { $0.isDone }
  public static func `where`(_ condition: (Fields) -> some FilterConvertible) -> EntityRequest<Self> {
    all.where(condition)
  }
}

extension EntityRequest {
  /// Narrows the request to the objects that meet a condition as well.
  public func `where`(_ condition: (Object.Fields) -> some FilterConvertible) -> EntityRequest {
    self.where(condition(Object.Fields(at: .object)).filter)
  }

  /// Narrows the request to the objects that meet a filter as well.
  ///
  ///     Recipe.all.where(try Filter(parsing: text))
  public func `where`(_ filter: Filter) -> EntityRequest {
    with { $0.request.filter = $0.request.filter.map { $0 && filter } ?? filter }
  }

  /// Sorts by a value, after the values that the request sorts by already.
  public func sorted<Value: ScalarValue>(
    by field: KeyPath<Object.Fields, Field<Value>>, descending: Bool = false
  ) -> EntityRequest {
    with { $0.request.sort.append(SortTerm(EntityRequest.names(field), isDescending: descending)) }
  }

  /// Sorts by where objects stand among the targets of an ordered relationship.
  ///
  ///     Ingredient.where { $0.recipe == cake }.sorted(byPlaceIn: \.recipe, of: cake)
  ///
  /// - Parameters:
  ///   - relationship: The relationship of this entity whose inverse is ordered.
  ///   - parent: The object whose targets they are. Objects that are not among them come first.
  ///   - descending: Whether the last target comes first.
  public func sorted<Parent: Storable>(
    byPlaceIn relationship: KeyPath<Object.Fields, ToOneField<Parent>>, of parent: EntityID<Parent>,
    descending: Bool = false
  ) -> EntityRequest {
    let name = EntityRequest.names(relationship).joined(separator: ".")
    return with { $0.request.sort.append(SortTerm(placeIn: name, of: parent.objectID, isDescending: descending)) }
  }

  /// Sorts by where objects stand among the targets of an ordered relationship of many to many.
  public func sorted<Parent: Storable>(
    byPlaceIn relationship: KeyPath<Object.Fields, ToManyField<Parent>>, of parent: EntityID<Parent>,
    descending: Bool = false
  ) -> EntityRequest {
    let name = EntityRequest.names(relationship).joined(separator: ".")
    return with { $0.request.sort.append(SortTerm(placeIn: name, of: parent.objectID, isDescending: descending)) }
  }

  /// Makes sections of the rows, which are then sorted by the section first.
  ///
  ///     Event.all.sectioned(by: \.startsAt, .day, descending: true)
  ///
  /// - Parameters:
  ///   - field: What names the section of a row.
  ///   - transform: What is made of the value before it names a section.
  ///   - descending: Whether the sections stand in falling order.
  ///   - order: Names of sections in the order wanted; those that are not listed follow.
  public func sectioned<Value: ScalarValue>(
    by field: KeyPath<Object.Fields, Field<Value>>, _ transform: SectionKey.Transform = .none,
    descending: Bool = false, order: [String]? = nil
  ) -> EntityRequest {
    with {
      $0.request.section = SectionKey(
        EntityRequest.names(field), transform: transform, isDescending: descending, order: order)
    }
  }
}

extension EntityRequest {
  /// Takes so many rows at most, after leaving some out.
  public func limited(to count: Int, offset: Int = 0) -> EntityRequest {
    with {
      $0.request.limit = count
      $0.request.offset = offset
    }
  }

  /// Lets days, weeks, months and years begin where they do in a time zone, such as `Europe/Rome`.
  public func inTimeZone(_ identifier: String) -> EntityRequest {
    with { $0.request.timeZone = identifier }
  }

  /// Names the fields whose changes count as updates of a row, instead of all attributes and own to-one links.
  ///
  ///     Recipe.all.showing(\.name, \.type.name)
  public func showing<each Shown: FieldReference>(
    _ fields: repeat KeyPath<Object.Fields, each Shown>
  ) -> EntityRequest {
    var shown: [[String]] = []
    repeat shown.append(EntityRequest.names(each fields))
    return with { $0.request.shows = shown }
  }

  /// Reads related objects together with the rows, each once, so that looking at them needs no further look into the
  /// store.
  ///
  ///     let recipes = try store.fetch(Recipe.all.prefetching(\.type, \.ingredients))
  ///     try recipes.rows[0].related(\.type)?.name
  ///
  /// - Complexity: What it adds to a fetch is O(*m* log *n*) for *m* links.
  public func prefetching<each Related: RelationshipField>(
    _ relationships: repeat KeyPath<Object.Fields, each Related>
  ) -> EntityRequest {
    var paths = prefetched
    repeat paths.append(EntityRequest.names(each relationships))
    return with { $0.prefetched = paths }
  }
}
