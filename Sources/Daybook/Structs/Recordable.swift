import DaybookModel

/// A struct that is a named event of the model, with the values of a recorded event as its properties.
///
///     struct RecipeCooked: Recordable {
///       var about: Recipe.ID
///       var servings: Int
///
///       static var eventType: EventType {
///         get throws {
///           EventType(
///             name: eventName, about: Recipe.entityName, attributes: [try Attribute("servings", as: Int.self)])
///         }
///       }
///
///       init(event: Event) throws {
///         about = EntityID(event.object)
///         servings = try event.value("servings", of: Self.self)
///       }
///
///       func write(to values: inout ObjectValues) throws { try values.set("servings", servings) }
///     }
///
/// The macro `@Event` of the product DaybookMacros generates everything except the stored properties. In either case,
/// the struct is a view of an ordinary event of the model, which the command line and other programs see too.
public protocol Recordable: Sendable {
  /// The entity of the objects that the event is about.
  associatedtype Subject: Storable

  /// The object that the event is about.
  var about: EntityID<Subject> { get }

  /// The name of the event in the model; by default the name of the type.
  static var eventName: String { get }

  /// The declaration of the event.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a default that cannot be stored.
  static var eventType: EventType { get throws }

  /// Reads a recorded event.
  ///
  /// - Throws: `StoreError` with the code `badValue` if a stored value does not fit its property.
  init(event: Event) throws

  /// Writes the values to record; an event has no links.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a value that cannot be stored.
  func write(to values: inout ObjectValues) throws
}

extension Recordable {
  public static var eventName: String { String(describing: Self.self) }
}
