#if !Server

/// Needs the trait `Server` of the package.
@available(
  *, unavailable,
  message: "DaybookServer needs the trait Server: add traits: [\"Server\"] to the dependency on the package"
)
public enum DaybookServer {}

#endif
