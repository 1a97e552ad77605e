// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableExperimentalFeature("Lifetimes"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// The fuzzer measures coverage, so its counters are in all code under test.
let countedSettings = settings + [.unsafeFlags(["-sanitize=fuzzer"])]

/// A package of its own, so that the fuzzer never enters a user's build. The decoders are seen inside of their package
/// only; so this one has links to their sources, and builds them again, with the fuzzer's counters in them.
let package = Package(
  name: "daybook-fuzz",
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
    .target(name: "WorkLimits", swiftSettings: countedSettings),
    .target(name: "LMDB", dependencies: ["CLMDB", "CChecksum", "CLMDBGuard", "WorkLimits"], swiftSettings: settings),
    .target(name: "DaybookDiff", dependencies: ["WorkLimits"], swiftSettings: countedSettings),
    .target(
      name: "DaybookModel", dependencies: [.product(name: "Crypto", package: "swift-crypto")],
      swiftSettings: countedSettings),
    .target(name: "DaybookQuery", dependencies: ["DaybookModel", "WorkLimits"], swiftSettings: countedSettings),
    .target(
      name: "DaybookEngine",
      dependencies: [
        "LMDB", "DaybookDiff", "DaybookModel", "DaybookQuery", "WorkLimits",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: countedSettings),
    .target(
      name: "Daybook",
      dependencies: [
        "LMDB", "DaybookDiff", "DaybookEngine", "DaybookModel", "DaybookQuery", "WorkLimits",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: countedSettings),
    .target(
      name: "DaybookTools",
      dependencies: [
        "Daybook", "DaybookDiff", "DaybookEngine", "DaybookModel", "DaybookQuery", "LMDB",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: countedSettings),
    .target(name: "DaybookGit", dependencies: ["Daybook"], swiftSettings: countedSettings),
    .target(name: "DaybookTestSupport", dependencies: ["Daybook"], swiftSettings: countedSettings),
    .target(
      name: "DecoderChecks",
      dependencies: ["Daybook", "DaybookEngine", "DaybookGit", "DaybookTestSupport", "DaybookTools"],
      swiftSettings: countedSettings),
    // Its own `main` calls the fuzzer's loop, so it is linked with the library that has none: see Tools/fuzz.
    .executableTarget(name: "DaybookFuzz", dependencies: ["DecoderChecks"], swiftSettings: countedSettings),
  ]
)
