// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableExperimentalFeature("Lifetimes"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// The tests below the macros and the commands: what is built with optimisation, or for a sanitizer, need not build
/// swift-syntax, which takes three times as long as all of this. The sources are the main package's, through links.
let package = Package(
  name: "daybook-random-tests",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  ],
  targets: [
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .target(name: "CChecksum"),
    .target(name: "CLMDBGuard", dependencies: ["CLMDB"]),
    .target(name: "WorkLimits", swiftSettings: settings),
    .target(name: "LMDB", dependencies: ["CLMDB", "CChecksum", "CLMDBGuard", "WorkLimits"], swiftSettings: settings),
    .target(name: "DaybookDiff", swiftSettings: settings),
    .target(
      name: "DaybookModel", dependencies: [.product(name: "Crypto", package: "swift-crypto")],
      swiftSettings: settings),
    .target(name: "DaybookQuery", dependencies: ["DaybookModel", "WorkLimits"], swiftSettings: settings),
    .target(
      name: "DaybookEngine",
      dependencies: [
        "LMDB", "DaybookDiff", "DaybookModel", "DaybookQuery", "WorkLimits",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    .target(
      name: "Daybook",
      dependencies: [
        "LMDB", "DaybookDiff", "DaybookEngine", "DaybookModel", "DaybookQuery", "WorkLimits",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: settings),
    .target(
      name: "DaybookTools",
      dependencies: [
        "Daybook", "DaybookDiff", "DaybookEngine", "DaybookModel", "DaybookQuery", "LMDB",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    .target(name: "DaybookGit", dependencies: ["Daybook"], swiftSettings: settings),
    .target(name: "DaybookTestSupport", dependencies: ["Daybook"], swiftSettings: settings),
    .target(
      name: "DifferenceCases", dependencies: ["DaybookDiff"], path: "Tests/DifferenceCases", exclude: ["Data"],
      swiftSettings: settings),
    .executableTarget(
      name: "CrashWriter", dependencies: ["Daybook", "DaybookTestSupport"], path: "Tests/CrashWriter",
      swiftSettings: settings),
    .target(
      name: "DecoderChecks",
      dependencies: ["Daybook", "DaybookEngine", "DaybookGit", "DaybookTestSupport", "DaybookTools"],
      path: "Tests/DecoderChecks", swiftSettings: settings),
    .testTarget(
      name: "DaybookDiffTests", dependencies: ["DaybookDiff", "DaybookTestSupport", "DifferenceCases"],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookModelTests", dependencies: ["DaybookModel", "DaybookTestSupport"], swiftSettings: settings),
    .testTarget(
      name: "DaybookGitTests",
      dependencies: [
        "DaybookGit", "DaybookTestSupport", "DaybookTools", .product(name: "Crypto", package: "swift-crypto"),
      ],
      exclude: ["Data"], swiftSettings: settings),
    .testTarget(
      name: "DaybookQueryTests", dependencies: ["DaybookQuery", "DaybookTestSupport", "WorkLimits"],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookEngineTests", dependencies: ["DaybookDiff", "DaybookEngine", "DaybookTestSupport", "LMDB"],
      swiftSettings: settings),
    .executableTarget(
      name: "DiskWriter", dependencies: ["Daybook", "DaybookTestSupport"], path: "Tests/DiskWriter",
      swiftSettings: settings),
    .testTarget(
      name: "DaybookTests",
      dependencies: [
        "CrashWriter", "Daybook", "DaybookEngine", "DaybookTestSupport", "DaybookTools", "DecoderChecks", "DiskWriter",
        "DifferenceCases", "WorkLimits",
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: settings),
  ]
)
