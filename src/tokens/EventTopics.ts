import { StrKey, type xdr } from "@stellar/stellar-sdk"
import { Either, Option, Schema } from "effect"
import type { TopicEvent } from "../chain/contract-rpc/EventSearch.ts"
import { ScValText } from "../chain/xdr/XdrText.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { fieldOf } from "../stellar/AllowanceKeys.ts"
import { address, i128, symbol } from "../stellar/ScValCodec.ts"
import { xdrBase64 } from "../xdr/XdrBytes.ts"
import type { ApprovalEvent } from "./Approval.ts"

const textOf = (name: string): string => xdrBase64(symbol.encode(name))

const texts = { approve: textOf("approve"), transfer: textOf("transfer"), mint: textOf("mint") }

/**
 * The topic patterns of one owner: its approvals, transfers from it and to it, and mints to it. Approvals match with or without the asset's
 * name at the end, mints with or without the minter before the owner. No more patterns than these fit into one filter.
 */
export const topicsOf = (owner: AccountAddress): ReadonlyArray<ReadonlyArray<string>> => {
  const text = xdrBase64(address.encode(owner))
  return [
    [texts.approve, text, "**"],
    [texts.transfer, text, "**"],
    [texts.transfer, "*", text, "**"],
    [texts.mint, text, "**"],
    [texts.mint, "*", text, "**"]
  ]
}

/** Base64 of the longest value that is read: an amount and a ledger in a map with names. */
const longest = 256

const readText = Schema.decodeUnknownOption(ScValText)

/** Null for what is no XDR; a value with an unknown arm is an error value. */
const valueIn = (text: string): xdr.ScVal | null => (text.length <= longest ? Option.getOrNull(readText(text)) : null)

const addressIn = (text: string | undefined): string | null => {
  const value = text === undefined ? null : valueIn(text)
  return value === null ? null : Either.getOrNull(address.decode(value))
}

const canSpend = (text: string): boolean => StrKey.isValidContract(text) || StrKey.isValidEd25519PublicKey(text)

/**
 * Whether a topic is an address, or something newer than this version. Topics that anyone can write hide no token: its getter is queried
 * for the balance.
 */
const mayBeAddress = (text: string | undefined): boolean =>
  text !== undefined && (addressIn(text) !== null || valueIn(text)?.type === "scvError")

/** `[amount, ledger]`, or the same in a map. */
const untilIn = (text: string): number | null => {
  const value = valueIn(text)
  const until = value?.type === "scvVec" ? value.vec?.[1] : fieldOf(value, "live_until_ledger", "expiration_ledger")
  return until?.type === "scvU32" ? until.u32 : null
}

/**
 * The approval that an event reports; null where it is none. The amount it carries is not looked at: any contract can write anything, and
 * only the token says what is left. So data of a form that no one knows hides no approval.
 */
export const approvalIn = ({ contract, data, topics }: TopicEvent): ApprovalEvent | null => {
  if (topics[0] !== texts.approve || topics.length < 3 || topics.length > 4) return null
  const spender = addressIn(topics[2])
  return spender === null || !canSpend(spender) ? null : { token: contract, spender, until: untilIn(data) }
}

/** Base units that an event says came to an owner and went from it. */
export interface TokenMove {
  readonly came: bigint
  readonly went: bigint
}

const nothingMoved: TokenMove = { came: 0n, went: 0n }

/** `amount`, or a map that has one (CAP-67). */
const amountIn = (text: string): bigint | null => {
  const value = valueIn(text)
  const amount = value === null ? null : Either.getOrNull(i128.decode(fieldOf(value, "amount") ?? value))
  return amount === null || amount < 0n ? null : amount
}

/** What a transfer or mint moved to an owner or from it; nothing where its data is of no known form. */
export const moveOf = (owner: AccountAddress, { data, topics }: TopicEvent): TokenMove => {
  const [name, first, second] = topics
  const amount = amountIn(data)
  if (amount === null) return nothingMoved
  const to = name === texts.mint ? addressIn(second) ?? addressIn(first) : addressIn(second)
  const from = name === texts.transfer ? addressIn(first) : null
  return { came: to === owner ? amount : 0n, went: from === owner ? amount : 0n }
}

/** Whether an event reports a transfer from one address to another, or of tokens minted to one. */
export const movesTokens = ({ topics }: TopicEvent): boolean => {
  const [name, first, second] = topics
  if (topics.length > 4 || !mayBeAddress(first)) return false
  return name === texts.mint || (name === texts.transfer && topics.length >= 3 && mayBeAddress(second))
}
