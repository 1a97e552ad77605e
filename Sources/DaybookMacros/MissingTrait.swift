#if !Macros

/// Needs the trait `Macros` of the package.
///
/// The compiler reports this in place of the macro. It is no macro, because one without its plugin is a warning of each build.
@available(
  *, unavailable,
  message: "@Entity needs the trait Macros: add traits: [\"Macros\"] to the dependency on the package"
)
@globalActor
public actor Entity {
  public static let shared = Entity()
}

#endif
