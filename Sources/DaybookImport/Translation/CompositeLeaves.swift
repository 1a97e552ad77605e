#if Import

/// The flattened form of composite attributes: `location_lat`, because then filters, sorting and indexes work.
enum CompositeLeaves {
  /// Returns the attributes that a declaration becomes: its leaves if it is composite, or the attribute itself.
  static func leaves(of attribute: SourceAttribute) -> [SourceAttribute] {
    guard case .composite(let parts) = attribute.type, !attribute.isTransient else { return [attribute] }
    return parts.flatMap(leaves(of:)).map { leaf in
      var leaf = leaf
      leaf.name = "\(attribute.name)_\(leaf.name)"
      // The columns of composite attributes are not read, so no row has a value.
      leaf.isOptional = true
      return leaf
    }
  }
}

#endif
