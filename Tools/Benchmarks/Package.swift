// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
]

/// The library alone, as most programs have it; in the build folder of a package that has all traits it has them too, because with
/// others it would be built again.
let traits: Set<Package.Dependency.Trait> =
  Context.environment["DAYBOOK_SCRATCH"] == nil
  ? [] : ["Collation", "Command", "Git", "JetStream", "Macros", "Server"]

/// A package of its own, so that the peers never enter a user's dependency graph.
let package = Package(
  name: "daybook-benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "daybook-bench", targets: ["DaybookBench"])
  ],
  dependencies: [
    .package(name: "daybook", path: "../..", traits: traits),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // Not named CLMDB: two packages of one graph cannot share a module's name, and Daybook has that one.
    .systemLibrary(
      name: "CBaselineLMDB", pkgConfig: "lmdb",
      providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .target(name: "CBaseline", dependencies: ["CBaselineLMDB"]),
    .executableTarget(
      name: "DaybookBench",
      dependencies: [
        "CBaseline",
        .product(name: "Daybook", package: "daybook"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
  ],
  cLanguageStandard: .c11
)
