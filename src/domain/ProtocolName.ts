import { Schema } from "effect"

/** The names of the protocols that this version decodes itself. */
export const ownProtocols = ["lend_1", "amm_1", "amm_2", "amm_3", "cdp_1"] as const

/** The name of a protocol that this version decodes itself. */
export const OwnProtocol = Schema.Literal(...ownProtocols)
export type OwnProtocol = typeof OwnProtocol.Type

const isOwn = Schema.is(OwnProtocol)

/** The name of a protocol whose decoder comes from another package: words joined by underscores, and none of ours. */
export const OutsideProtocol = Schema.String.pipe(
  Schema.pattern(/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/),
  Schema.filter((name) => !isOwn(name) || "the name of a protocol that is decoded here"),
  Schema.brand("OutsideProtocol")
)
export type OutsideProtocol = typeof OutsideProtocol.Type

/** Whether a name is that of a protocol from another package. */
export const isOutside: (name: string) => name is OutsideProtocol = Schema.is(OutsideProtocol)

/** The name of a protocol on the wire. The document of the API lists ours, and those that are registered besides (`apiOf`). */
export const ProtocolName = Schema.Union(OwnProtocol, OutsideProtocol).annotations({
  identifier: "ProtocolName",
  description: "The name of a protocol on the wire.",
  jsonSchema: { type: "string", enum: ownProtocols, description: "The name of a protocol on the wire." }
})
export type ProtocolName = typeof ProtocolName.Type

/** The protocol of a row: ours of that shape, or one from another package. */
export const protocolOf = <Own extends OwnProtocol>(own: Own) =>
  Schema.Union(Schema.Literal(own), OutsideProtocol).annotations({
    jsonSchema: { type: "string", enum: [own], description: "The protocol of the position." }
  })
