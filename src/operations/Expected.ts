import type { MemoType } from "../domain/Memo.ts"
import type { ContractFunction } from "./ContractFunctions.ts"

/** A decision as the caller sent it to the service: amounts are decimal texts. */
export interface SentDecision {
  readonly id: string
  readonly choice: string
  readonly params?: SentParams
}

/** The parts of a decision's `params` that a transaction is compared with; others may stand beside them. */
export interface SentParams {
  readonly minReceive?: string
  readonly amount?: string
  readonly acceptPriceImpactBps?: number
  readonly maxAmount?: string
  readonly destination?: string
  readonly spendAsset?: string
  readonly maxSpend?: string
  readonly maxLumens?: string
  readonly maxCount?: number
  readonly ids?: ReadonlyArray<string>
  readonly newSponsor?: string
}

/**
 * The contracts that calls of a close may reach: the package's own list for a network, which a caller may extend by what it has
 * looked at itself. Never from the service.
 */
export interface ContractBook {
  /** Protocol to role to contracts, for instance `lend_1` to `poolV2`. */
  readonly protocols: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>>
  /** The code that contracts of a protocol may run: protocol to kind to SHA-256 of the wasm, hex. */
  readonly code: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>>
  /** Token contracts that are known, beside those of classic assets. */
  readonly tokens: ReadonlyArray<string>
  /** The two tokens of pools whose calls do not name what they pay. */
  readonly pairs: Readonly<Record<string, readonly [string, string]>>
  /** What may be called of protocols that a caller brings, beside those that are known. Left out: nothing. */
  readonly functions?: Readonly<Record<string, ReadonlyArray<ContractFunction>>>
}

/** An account that passes the lumens of a close on to an exchange, as the caller knows it. */
export interface ExpectedMediator {
  readonly address: string
  /** The type of memo that the exchange asks for. */
  readonly memoType: "none" | MemoType
}

/** Something that the account holds outside of its own entries, by the id of its decision: `claim:...`, `position:...`, `token:...`. */
export interface Held {
  readonly id: string
  /** Of a claimable balance: its asset (`native` or `CODE:ISSUER`). */
  readonly asset?: string
  /** How much it is, where the caller knows: in 10^-7 of an asset, in base units of a token. No more than decided is left behind. */
  readonly amount?: bigint
  /** Of a position: the assets that it owes. Nothing else is bought for it. */
  readonly owes?: ReadonlyArray<string>
  /** Of a position: the contracts it lies in, beside the one of its id. */
  readonly contracts?: ReadonlyArray<string>
  /** Of a position in a pool: the contracts of the pool's tokens, in any order. They prove the address of a pool that the book does not list. */
  readonly tokens?: ReadonlyArray<string>
}

/** What a caller knows and wants of a close, all of it from its own sources: a transaction is compared with nothing else. */
export interface Expected {
  readonly networkPassphrase: string
  /** The closing account (G...). */
  readonly source: string
  /** The account's sequence number as the caller knows it; a transaction must use the next one. */
  readonly sequence: bigint
  /** Lumens of the account in stroops, as the caller read them. */
  readonly balanceStroops: bigint
  /** Who receives the lumens (G..., or M... with an id, compared whole). */
  readonly destination: string
  readonly memo: { readonly type: MemoType; readonly value: string } | null
  /** Left out: the account is merged into the destination itself. */
  readonly mediator?: ExpectedMediator
  /** The decisions that the caller sent. */
  readonly decisions: ReadonlyArray<SentDecision>
  /** The least lumens in stroops that each sale must bring, by decision id: the caller's own number, beside what its decision says. */
  readonly floors: Readonly<Record<string, bigint>>
  readonly contracts: ContractBook
  /** The most that the whole transaction may cost in stroops, resource fee included. */
  readonly feeCap: bigint
  /** Unix seconds of the caller's clock. */
  readonly now: number
  /** The `validForSeconds` that the caller asked for. Left out: none, and a transaction may stay usable for 1800 seconds. */
  readonly validForSeconds?: number
  readonly phase: {
    /**
     * What the caller's own read of the account still shows outside of the account's entries. The account is not merged while any of
     * it is neither dealt with nor given up by a decision that names it. What came after the caller decided to leave it (`later`) is
     * left out here by the caller.
     */
    readonly held: ReadonlyArray<Held>
  }
}
