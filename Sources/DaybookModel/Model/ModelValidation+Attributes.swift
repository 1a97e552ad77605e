extension ModelValidation {
  mutating func check(_ attribute: Attribute, of entity: Int, place: String) {
    guard let derivation = attribute.derivation else { return checkStored(attribute, place: place) }
    if attribute.type != nil {
      add(place, "a derived attribute has the type of what it is derived from; leave “type” out")
    }
    if attribute.isOptional { add(place, "a derived attribute is never set; leave “optional” out") }
    if !attribute.defaultValue.isNull { add(place, "a derived attribute is never set; leave “default” out") }
    if attribute.order != .codepoint {
      add(place, "a derived attribute has the order of what it is derived from; leave “order” out")
    }
    if !attribute.rules.isEmpty {
      add(place, "a derived attribute has no rules; write a “rule” of the entity about it")
    }
    do throws(ModelLookup.Complaint) {
      _ = try lookup.derivation(derivation, of: entity)
    } catch {
      add(place, error.message)
    }
  }

  mutating func checkStored(_ attribute: Attribute, place: String) {
    guard let type = attribute.type else {
      let types = AttributeType.allCases.map(\.rawValue).joined(separator: ", ")
      return add(place, "has no type; give one of \(types), or “derived”")
    }
    if attribute.order != .codepoint, type != .string {
      add(place, "only strings can have the order \(attribute.order.rawValue); leave “order” out")
    }
    if let locale = attribute.order.locale, locale.collator == nil {
      let advice = "give one that does in `StoreOptions.collation`, such as `.icu` of DaybookCollation"
      add(place, "no collation of this program knows the locale “\(locale.identifier)”; \(advice)")
    }
    do throws(ValueError) {
      try attribute.defaultValue.check(type: type)
    } catch {
      add(place, "the default \(error)")
    }
    checkRules(of: attribute, type: type, place: place)
  }

  mutating func checkNameAttribute(of entity: Int, place: String) {
    guard let name = model.entities[entity].nameAttribute else { return }
    let place = "\(place).nameAttribute"
    guard let number = lookup.attribute(name, of: entity) else {
      return add(place, "the entity has no attribute “\(name)”")
    }
    let attribute = lookup.model.entities[entity].attributes[number]
    if attribute.derivation != nil { return add(place, "“\(name)” is derived; a name is a stored string") }
    if let type = attribute.type, type != .string {
      add(place, "“\(name)” is \(type.nounPhrase); a name is a stored string")
    }
  }
}
