#if Server

import HTTPTypes

/// The fields of each answer that instruct browsers to be strict with it, and to ask before they use it again.
enum StrictFields {
  static let all: HTTPFields = {
    var fields: HTTPFields = [
      .cacheControl: "no-cache",
      .contentSecurityPolicy:
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'",
      .xContentTypeOptions: "nosniff",
    ]
    if let name = HTTPField.Name("Referrer-Policy") { fields[name] = "no-referrer" }
    return fields
  }()
}

#endif
