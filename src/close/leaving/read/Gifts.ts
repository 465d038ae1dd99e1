import { Address, type xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { AccountSnapshot } from "../../../account/AccountSnapshot.ts"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { ContractAddress } from "../../../domain/Address.ts"
import type { EventsReport, OwnerEvents } from "../../../tokens/OwnerEvents.ts"
import { balanceIn } from "../../../tokens/StoredToken.ts"
import { type ReceiptPeriod, receivedSince } from "../../../tokens/TokenReceipts.ts"
import { keyText } from "../../../xdr/LedgerKeys.ts"
import { type LaterAnswer, sawToken } from "../../situation/LaterGifts.ts"
import { noHistory, type OwnTransaction, type OwnTransactions } from "../../situation/OwnTransactions.ts"
import type { GiftedShares, PlannedExit } from "../../situation/PlannedExit.ts"
import { callIn, isSameCall } from "../../situation/SameCall.ts"
import { withoutLaterShares } from "../payouts/OwnRewards.ts"
import type { ExitQuestion } from "./ExitFacts.ts"

/** A position that others can give, with the entry that holds its shares. */
interface Shares {
  readonly one: PlannedExit
  readonly key: xdr.LedgerKey
  /** The contract of the shares. */
  readonly token: ContractAddress | null
  /** The ledger that last modified the entry. */
  readonly modified: number
  /** Base units; null where the entry is of no known form. */
  readonly amount: bigint | null
}

const tokenOf = (key: xdr.LedgerKey): ContractAddress | null =>
  key.type === "contractData" ? ContractAddress.make(Address.fromScAddress(key.contractData.contract).toString()) : null

const amountOf = ({ data }: xdr.LedgerEntry): bigint | null => (data.type === "contractData" ? balanceIn(data.contractData.val) : null)

/** The account's own successful transactions after a ledger that wrote the entry, newest first. */
const ownTransactionsOn = ({ transactions }: OwnTransactions, { ledger }: LaterAnswer, { key }: Shares): ReadonlyArray<OwnTransaction> => {
  const wanted = keyText(key)
  return transactions.filter((each) => each.ledger > ledger && each.succeeded && each.writes.has(wanted))
}

/** Whether the plan listed the position, or a position that pays its shares. */
const wasSeenBy = (later: LaterAnswer, { one, token }: Shares): boolean =>
  later.had.has(one.id) || (token !== null && sawToken(later, token)) ||
  // What had no room in a full list may have been staked then.
  (later.isFull && one.position.openedBefore === true)

/** Whether a call of the account's own that someone else sent had to do with the position or its shares after a ledger. */
const isCarried = (carried: AccountSnapshot["carried"], { ledger }: LaterAnswer, { one, token }: Shares): boolean =>
  [one.position.contract, token].some((contract) => contract !== null && (carried.get(contract) ?? 0) > ledger)

/**
 * Whether a transaction left the position. By the call that leaves it now, or, where too little is held to leave, by one that moved shares
 * away.
 */
const isExit = ({ one: { exit }, token }: Shares, report: EventsReport) => ({ ledger, operations: [operation] }: OwnTransaction): boolean =>
  exit._tag === "Calls"
    ? exit.calls.some((call) => isSameCall(operation, call))
    : token !== null && (report.moves.get(token)?.get(ledger)?.went ?? 0n) > 0n

/** Whether a transaction only claimed rewards of the position, and moved none of its shares. */
const isClaim = ({ one: { position: { claimedBy = [], contract } } }: Shares) => ({ operations: [operation] }: OwnTransaction): boolean => {
  const call = callIn(operation)
  return call?.contract === contract && claimedBy.includes(call.function)
}

/**
 * The period in which received shares count as come later; null where none do. None do up to the account's own last call that brought some,
 * or where the plan saw them. An exit takes what was there when it was built, so what is left then is a gift like what came before and after.
 */
const giftPeriod = (later: LaterAnswer, shares: Shares, own: ReadonlyArray<OwnTransaction>, report: EventsReport): ReceiptPeriod | null => {
  if (own.length === 0) return wasSeenBy(later, shares) ? null : { from: later.ledger + 1, leftIn: 0 }
  const claims = isClaim(shares)
  const moving = own.filter((one) => !claims(one))
  const [last] = moving
  const leaves = isExit(shares, report)
  if (last === undefined || !leaves(last)) return null
  const broughtIn = moving.find((one) => !leaves(one))?.ledger ?? later.ledger
  return { from: broughtIn + 1, leftIn: last.ledger }
}

const noGift: GiftedShares = { cameLater: false, wasSeen: false, leftSince: false }

const giftOf = (later: LaterAnswer | null, shares: Shares, history: OwnTransactions, report: EventsReport | null): GiftedShares => {
  if (later === null) return noGift
  const wasSeen = wasSeenBy(later, shares)
  const { amount, token } = shares
  if (report === null) return { ...noGift, wasSeen }
  const since = giftPeriod(later, shares, ownTransactionsOn(history, later, shares), report)
  const leftSince = since !== null && since.leftIn > 0
  const isWhole = since !== null && token !== null && amount !== null && amount <= receivedSince(report, token, since)
  return { cameLater: isWhole, wasSeen: wasSeen && !leftSince, leftSince }
}

/**
 * The exits, with what is known of those that others can give (`getLedgerEntries`). Where the owner's `later` answer matters, also by the
 * account's own history and by events about the shares (`getEvents`).
 */
export const withGifts = (
  { entries, events }: {
    readonly entries: LedgerEntries["Type"]
    readonly events: OwnerEvents["Type"]
  },
  { input: { later, source }, ownTransactions, snapshot: { callsUnread, carried } }: ExitQuestion,
  planned: ReadonlyArray<PlannedExit>
): Effect.Effect<ReadonlyArray<PlannedExit>, ChainFailure> =>
  Effect.gen(function*() {
    const given = planned.flatMap((one) => (one.position.givenUnder === null ? [] : [{ one, key: one.position.givenUnder }]))
    if (given.length === 0) return planned
    const found = yield* entries.many(given.map(({ key }) => key))
    const all = given.map(({ key, one }, at): Shares => ({
      one,
      key,
      token: tokenOf(key),
      ...Option.match(found[at] ?? Option.none(), {
        onNone: () => ({ modified: 0, amount: null }),
        onSome: ({ entry }) => ({ modified: entry?.lastModifiedLedgerSeq ?? 0, amount: entry === null ? null : amountOf(entry) })
      })
    }))
    const changed = later === null ? [] : all.filter((one) => one.modified > later.ledger && !isCarried(carried, later, one))
    const history = later === null || changed.length === 0 ? noHistory : yield* ownTransactions({ ledger: later.ledger })
    const open = later === null ? [] : changed.filter((one) => !wasSeenBy(later, one) || ownTransactionsOn(history, later, one).length > 0)
    // What the account did since may be what brought them.
    const mayBeOwn = !history.whole || callsUnread === true
    const report = open.length === 0 || mayBeOwn ? null : yield* events.of(source)
    const mayBeGifts = new Set(changed)
    const gifts = new Map(all.map((shares) => [shares.one.id, giftOf(later, shares, history, mayBeGifts.has(shares) ? report : null)]))
    return planned.map((one) => {
      const gift = gifts.get(one.id)
      // What the owner may have taken out of a stake is left like anything of the owner's own.
      const isOwn = gift === undefined || (one.position.openedBefore === true && !gift.cameLater)
      return isOwn ? one : withoutLaterShares({ ...one, gift })
    })
  })
