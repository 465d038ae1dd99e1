import { StrKey, xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { TopicEvent } from "../chain/contract-rpc/EventSearch.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { address, symbol } from "../stellar/ScValCodec.ts"
import type { Approval } from "./Approval.ts"

const texts = { approve: symbol.encode("approve").toXdr("base64"), transfer: symbol.encode("transfer").toXdr("base64") }

/** What is asked of one owner: its approvals, with or without the asset's name behind them, and transfers from it and to it. */
export const topicsOf = (owner: AccountAddress): ReadonlyArray<ReadonlyArray<string>> => {
  const text = address.encode(owner).toXdr("base64")
  return [[texts.approve, text, "**"], [texts.transfer, text, "**"], [texts.transfer, "*", text, "**"]]
}

const addressIn = (text: string | undefined): string | null => {
  // The longest address that can hold or spend has 44 bytes.
  if (text === undefined || text.length > 64 || !xdr.ScVal.validateXdr(text, "base64")) return null
  return Either.getOrNull(address.decode(xdr.ScVal.fromXdr(text, "base64")))
}

const canSpend = (text: string): boolean => StrKey.isValidContract(text) || StrKey.isValidEd25519PublicKey(text)

/**
 * The approval that an event tells of; null where it is none. What it carries is not looked at: tokens write it as a vector or as a map, any
 * contract can write anything, and only the token's own entry says what is left.
 */
export const approvalIn = ({ contract, topics }: TopicEvent): Approval | null => {
  if (topics[0] !== texts.approve || topics.length < 3 || topics.length > 4) return null
  const spender = addressIn(topics[2])
  return spender === null || !canSpend(spender) ? null : { token: contract, spender }
}

/** Whether an event tells of a transfer from one address to another. */
export const isTransfer = ({ topics }: TopicEvent): boolean =>
  topics[0] === texts.transfer && (topics.length === 3 || topics.length === 4) && addressIn(topics[1]) !== null &&
  addressIn(topics[2]) !== null
