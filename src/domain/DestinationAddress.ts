import { StrKey } from "@stellar/stellar-sdk"
import type { Schema } from "effect"
import { type AccountAddress, isAccountAddress } from "./Address.ts"
import { textLeaf } from "./Leaf.ts"

/** A multiplexed address: an account and a 64-bit id behind it, `M` and 68 base32 characters whose checksum holds (SEP-23 StrKey). */
export const MuxedAddress = /* @__PURE__ */ textLeaf("MuxedAddress", {
  is: (text) => StrKey.isValidMed25519PublicKey(text),
  pattern: "^M[A-Z2-7]{68}$",
  expected: "a muxed address: M and 68 characters with a valid checksum",
  description: "Muxed address (M...), checksum verified: an account and an id behind it."
})
export type MuxedAddress = typeof MuxedAddress.Type

/** Where lumens or assets go: an account, or an id behind one. */
export type DestinationAddress = AccountAddress | MuxedAddress

/** Whether a text is an account address or a muxed one, its checksum included. */
export const isDestinationAddress = (text: string): text is DestinationAddress =>
  isAccountAddress(text) || StrKey.isValidMed25519PublicKey(text)

export const DestinationAddress: Schema.Schema<DestinationAddress, string> = /* @__PURE__ */ textLeaf("DestinationAddress", {
  is: isDestinationAddress,
  pattern: "^(G[A-Z2-7]{55}|M[A-Z2-7]{68})$",
  expected: "an account address (G...) or a muxed address (M...) with a valid checksum",
  description: "Account address (G...), or muxed address (M...): an account and an id behind it. Checksum verified."
}) as Schema.Schema.Any as Schema.Schema<DestinationAddress, string>

/** Whether an address names an id behind its account. */
export const isMuxed = (address: DestinationAddress): address is MuxedAddress => address.startsWith("M")

/** The account that an address is about, its id dropped. */
export const baseAccount = (address: DestinationAddress): AccountAddress =>
  isMuxed(address)
    // What is encoded here is an address.
    ? StrKey.encodeEd25519PublicKey(StrKey.decodeMed25519PublicKey(address).subarray(0, 32)) as AccountAddress
    : address
