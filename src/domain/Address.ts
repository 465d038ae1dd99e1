import { StrKey } from "@stellar/stellar-sdk"
import { textMemo } from "../fibers/TextMemo.ts"
import { textLeaf } from "./Leaf.ts"

/** Checksums that were computed lately: an account of a thousand lines names a few issuers over and over. */
const mostChecked = 10_000

/** Only addresses are remembered: any other text that is given where one belongs is not kept. */
const checked = (isValid: (text: string) => boolean): (text: string) => boolean => {
  const known = textMemo<true | undefined>(mostChecked, (text) => (isValid(text) ? true : undefined))
  return (text) => known(text) === true
}

/** Whether a text is an account address, its checksum included. */
export const isAccountAddress = checked(StrKey.isValidEd25519PublicKey)

const isContractAddress = checked(StrKey.isValidContract)

/** An account address: `G` and 55 base32 characters whose checksum holds (SEP-23 StrKey). */
export const AccountAddress = /* @__PURE__ */ textLeaf("AccountAddress", {
  is: isAccountAddress,
  pattern: "^G[A-Z2-7]{55}$",
  expected: "an account address: G and 55 characters with a valid checksum",
  description: "Account address (G...), checksum verified."
})
export type AccountAddress = typeof AccountAddress.Type

/** A contract address: `C` and 55 base32 characters whose checksum holds (SEP-23 StrKey). */
export const ContractAddress = /* @__PURE__ */ textLeaf("ContractAddress", {
  is: isContractAddress,
  pattern: "^C[A-Z2-7]{55}$",
  expected: "a contract address: C and 55 characters with a valid checksum",
  description: "Contract address (C...), checksum verified."
})
export type ContractAddress = typeof ContractAddress.Type

/** Why a text is no account address, in words a caller can act on. */
export const accountAddressProblem = (text: string): string => {
  if (StrKey.isValidEd25519SecretSeed(text)) {
    return "A secret seed (S...) was sent instead of an account address (G...). Never send it to anyone."
  }
  if (StrKey.isValidMed25519PublicKey(text)) {
    return "Muxed addresses (M...) are not accepted. Send the account's address (G...) that it contains, and a memo."
  }
  if (StrKey.isValidContract(text)) return "This is a contract address (C...). Send an account address (G...)."
  if (text.includes("*")) return "This is a federation address (name*domain). Send the account's address, G and 55 characters."
  return "This is not an account address. Send G and 55 characters with a valid checksum."
}
