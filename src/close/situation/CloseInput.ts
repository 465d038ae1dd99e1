import { Effect, Option, Schema } from "effect"
import type { WantedClaims } from "../../account/ClaimableListing.ts"
import type { Acceptance } from "../../domain/Acceptance.ts"
import { AccountAddress, accountAddressProblem, type ContractAddress } from "../../domain/Address.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { Decision } from "../../domain/Decision.ts"
import { baseAccount, type DestinationAddress, isDestinationAddress, isMuxed } from "../../domain/DestinationAddress.ts"
import type { EntryName } from "../../domain/EntryName.ts"
import {
  type InvalidDecisions,
  InvalidDestination,
  InvalidFeePayer,
  InvalidHash,
  InvalidMemo,
  InvalidSlippage,
  InvalidSource,
  InvalidValidity
} from "../../domain/failure/Input.ts"
import { TransactionHash } from "../../domain/Ledger.ts"
import type { Memo, MemoInput } from "../../domain/Memo.ts"
import { memoProblem } from "../../domain/MemoProblem.ts"
import { type CloseRequest, FeePayer } from "../../domain/Plan.ts"
import type { OutsideProtocol } from "../../domain/ProtocolName.ts"
import type { Listing } from "../../registry/ExchangeRegistry.ts"
import type { Answers } from "./Answers.ts"
import { subjectOf } from "./DecisionId.ts"
import { answersIn } from "./Decisions.ts"
import { cutoffIn, type LaterAnswer, laterAnswerIn, laterOf } from "./LaterGifts.ts"
import { muxedProblem } from "./MuxedDestination.ts"

/** Bytes that an envelope may have where the request has `smallEnvelopes`: what hardware wallets take. */
const smallEnvelopeBytes = 5_000

/** The largest slippage that a request allows, basis points. */
const largestSlippageBps = 5000

/** A close request in which every single value is one the service accepts. */
export interface CloseInput {
  readonly source: AccountAddress
  readonly destination: DestinationAddress | null
  readonly memo: Memo | null
  /** The answers of the request, and the recommended options that `accept` applies. */
  readonly answers: Answers
  /** The answers of the request alone. */
  readonly given: Answers
  /** Null: recommended options are not applied. */
  readonly accept: Acceptance | null
  /** The answer that leaves behind what came later; null: it is not among them. */
  readonly later: LaterAnswer | null
  readonly maxSlippageBps: number
  /** Basis points that cap every slippage of the request and its answers: an accepted amount may need higher floors. */
  readonly mostSlippageBps: number
  /** Entries to look up beside those that are found without a name. */
  readonly entries: ReadonlyArray<EntryName>
  readonly feePayer: FeePayer
  /** Bytes that a classic envelope may have, its signatures included; null: as many as the ledger allows. */
  readonly envelopeLimit: number | null
  /** Null: the request leaves it to the builder. */
  readonly validForSeconds: number | null
  /** The transaction said to have merged an account that is gone; null when its history is to tell. */
  readonly mergeHash: TransactionHash | null
}

export type InputFailure =
  | InvalidSource
  | InvalidDestination
  | InvalidMemo
  | InvalidDecisions
  | InvalidSlippage
  | InvalidFeePayer
  | InvalidValidity
  | InvalidHash

const isAddress = Schema.is(AccountAddress)

const sourceIn = (text: string) =>
  isAddress(text) ? Effect.succeed(text) : Effect.fail(new InvalidSource({ reason: accountAddressProblem(text) }))

type ListingOf = (address: DestinationAddress) => Listing

const destinationProblem = (address: DestinationAddress, source: AccountAddress, listingOf: ListingOf): string | null => {
  if (baseAccount(address) === source) return "The destination is the account itself. An account cannot be merged into itself."
  return isMuxed(address) ? muxedProblem(listingOf(address)) : null
}

const destinationIn = (text: string | undefined, source: AccountAddress, listingOf: ListingOf) => {
  if (text === undefined) return Effect.succeed(null)
  if (!isDestinationAddress(text)) return Effect.fail(new InvalidDestination({ reason: accountAddressProblem(text) }))
  const reason = destinationProblem(text, source, listingOf)
  return reason === null ? Effect.succeed(text) : Effect.fail(new InvalidDestination({ reason }))
}

/** The memo of a request to this destination, which its registry entry may ask for. */
const memoIn = (given: MemoInput | undefined, destination: DestinationAddress | null, listingOf: ListingOf) => {
  if (given === undefined) return Effect.succeed(null)
  const listing = destination === null ? null : listingOf(destination).listing
  const asked = listing === null || listing.memoType === "none" ? null : listing.memoType
  const memo: Memo = typeof given === "string" ? { type: asked ?? "text", value: given } : given
  if (asked !== null && memo.type !== asked) {
    return Effect.fail(
      new InvalidMemo({ memoType: asked, rule: `This destination credits deposits by a memo of type ${asked}. Send a memo of that type.` })
    )
  }
  if (destination !== null && isMuxed(destination)) {
    const rule =
      "A muxed address (M...) carries an id in place of a memo. Send it without a memo, or send the account's address (G...) and a memo."
    return Effect.fail(new InvalidMemo({ memoType: memo.type, rule }))
  }
  const problem = memoProblem(memo)
  return problem === null ? Effect.succeed(memo) : Effect.fail(new InvalidMemo({ memoType: memo.type, rule: problem }))
}

/** The least `validForSeconds`. */
export const shortestValidity = 60
/** The most `validForSeconds`. */
export const longestValidity = 86_400

const wholeNumberIn = <E>(value: number | undefined, min: number, max: number, failure: () => E) =>
  value === undefined || (Number.isInteger(value) && value >= min && value <= max) ? Effect.succeed(value) : Effect.fail(failure())

const isHash = Schema.is(TransactionHash)

const hashIn = (text: string | undefined) => {
  if (text === undefined) return Effect.succeed(null)
  const hash = text.toLowerCase()
  return isHash(hash) ? Effect.succeed(hash) : Effect.fail(new InvalidHash())
}

const isFeePayer = Schema.is(FeePayer)

/**
 * Checks a request value by value, before anything is read; `listingOf` tells what the exchange registry knows of an address, `outside` which
 * protocols of other packages are registered.
 */
export const closeInput = (
  request: CloseRequest,
  listingOf: ListingOf,
  outside: ReadonlyArray<OutsideProtocol> = []
): Effect.Effect<CloseInput, InputFailure> =>
  Effect.gen(function*() {
    const source = yield* sourceIn(request.source)
    const destination = yield* destinationIn(request.destination, source, listingOf)
    const memo = yield* memoIn(request.memo, destination, listingOf)
    const answers = yield* answersIn(request.decisions ?? [], destination, outside)
    const maxSlippageBps = yield* wholeNumberIn(request.maxSlippageBps, 1, largestSlippageBps, () => new InvalidSlippage())
    const feePayer = request.feePayer ?? "source"
    if (!isFeePayer(feePayer)) return yield* new InvalidFeePayer({ reason: "feePayer must be source or fee_bump." })
    const validForSeconds = yield* wholeNumberIn(request.validForSeconds, shortestValidity, longestValidity, () => new InvalidValidity())
    const mergeHash = yield* hashIn(request.mergeHash)
    const accept = request.accept ?? null
    return {
      source,
      destination,
      memo,
      answers,
      given: answers,
      accept,
      later: laterAnswerIn(answers) ?? (accept === null ? null : laterOf(accept)),
      maxSlippageBps: maxSlippageBps ?? 50,
      entries: request.entries ?? [],
      mostSlippageBps: largestSlippageBps,
      feePayer,
      envelopeLimit: request.smallEnvelopes === true ? smallEnvelopeBytes : null,
      validForSeconds: validForSeconds ?? null,
      mergeHash
    }
  })

/** Where answers want assets transferred to, and which. */
const transfersIn = ({ answers }: CloseInput): ReadonlyMap<DestinationAddress, ReadonlyArray<AssetId>> => {
  const transfers = new Map<DestinationAddress, ReadonlyArray<AssetId>>()
  for (const { choice, id, params } of answers.all) {
    if (choice !== "transfer_to_account" || params?.destination === undefined) continue
    const subject = Option.getOrNull(subjectOf(id))
    const asset = subject?._tag === "asset" ? [subject.asset] : []
    transfers.set(params.destination, [...(transfers.get(params.destination) ?? []), ...asset])
  }
  return transfers
}

/** Accounts that something goes to: the destination of the close and those of transfers, with the assets transferred. */
export const receiversIn = (input: CloseInput): ReadonlyMap<DestinationAddress, ReadonlyArray<AssetId>> =>
  new Map([...(input.destination === null ? [] : [[input.destination, []] as const]), ...transfersIn(input)])

const tokensIn = (ids: Iterable<string>): ReadonlyArray<ContractAddress> =>
  [...ids].flatMap((id) => {
    const subject = Option.getOrNull(subjectOf(id))
    return subject?._tag === "token" ? [subject.contract] : []
  })

/** Token contracts that answers name: they are looked at whether or not anything else names them. */
export const tokensNamed = ({ answers }: CloseInput): ReadonlyArray<ContractAddress> =>
  answers.subjects("token").map(({ contract }) => contract)

/**
 * Token contracts that the plan saw whose answer leaves behind what came later, and the ledger of that plan. They are looked at whether or
 * not anything else names them.
 */
export const seenBefore = ({ later }: CloseInput) => ({ had: tokensIn(later?.had ?? []), hadAt: cutoffIn({ later }) })

/** What answers claim: all claimable balances of an asset, and single ones. */
export const wantedClaims = ({ answers }: Pick<CloseInput, "answers">): WantedClaims => {
  const isClaimed = (answer: Decision | undefined) => answer !== undefined && answer.choice !== "forfeit"
  return {
    assets: answers.subjects("claims").flatMap(({ asset }) => (isClaimed(answers.claims(asset)) ? [asset] : [])),
    balances: answers.subjects("claim").flatMap(({ balanceId }) => (isClaimed(answers.claim(balanceId)) ? [balanceId] : []))
  }
}

/** Basis points of slippage that were agreed, with which exits are read: by the answer, else by the request. */
export const agreedSlippage = ({ maxSlippageBps }: Pick<CloseInput, "maxSlippageBps">, answer?: Decision): number =>
  answer?.params?.maxSlippageBps ?? maxSlippageBps

/** Basis points that a quote may lose until the transaction is applied: by the answer, else by the request. */
export const slippageOf = (
  input: Pick<CloseInput, "maxSlippageBps" | "mostSlippageBps">,
  answer?: Decision
): number => Math.min(agreedSlippage(input, answer), input.mostSlippageBps)
