import type { xdr } from "@stellar/stellar-sdk"
import type { Schema } from "effect"
import type { ContractAddress } from "../domain/Address.ts"
import type { DefiPositionsResult, PositionRow, UnrecognizedDefiPosition } from "../domain/Position.ts"
import type { ProtocolName } from "../domain/ProtocolName.ts"
import type { Question } from "./kit/Question.ts"

/** Something an account holds in one contract of a protocol, that is left as a whole. */
export interface HeldPosition {
  readonly protocol: ProtocolName
  /** The pool, market or vault. */
  readonly contract: ContractAddress
  /** Tells positions in one contract apart, for instance the backstop's pool or the denomination. Without colons and stable from read to read. */
  readonly key: string
  /** What the wire shows of it, one row a thing held or owed. Never empty. */
  readonly rows: ReadonlyArray<PositionRow>
  /** Token contracts that leaving it may pay. */
  readonly pays: ReadonlyArray<ContractAddress>
  /** What the account must hand over to leave it, as of the ledger that was read; base units. */
  readonly owes: ReadonlyArray<TokenDebt>
  /** Rewards up to the ledger that was read, one a token and source. What is too little to be claimed is not for a decoder to say. */
  readonly rewards?: ReadonlyArray<Reward>
  /**
   * Some of what has been earned could not be read: the position is not left by default, because that may give it up. An exit without rewards
   * still claims those of `rewards` that are not held up. Left out: all was read.
   */
  readonly rewardsUnread?: boolean
  /** Functions of its contract that pay what was earned and never move its shares. Left out: none is known. */
  readonly claimedBy?: ReadonlyArray<string>
  /** Others can give it without the owner's word, as transferable shares: the key of the entry that then changes. Null: only the owner can open it. */
  readonly givenUnder: xdr.LedgerKey | null
  /**
   * The owner opened it before in a way that others cannot, so that its shares may be the owner's own, taken out just now. It counts as given
   * only where all of it came later than the owner's `later` answer. Left out: it counts as given.
   */
  readonly openedBefore?: boolean
  /** The token that is the position itself, where that is another contract: handing it in gives nothing else away. Left out: there is none. */
  readonly shareToken?: ContractAddress
  /** So little that its contract pays nothing for it: what it comes to, in words. It stays behind once its rewards do. Left out: it is left. */
  readonly dust?: string
  /** Contracts whose code is not listed, and known by what it declares. Left out: none. */
  readonly knownByInterface?: ReadonlyArray<ContractAddress>
  /** Base units of everything in it, which a forfeit gives up at most. Left out: what its rows say. */
  readonly units?: bigint
  /** Collateral that cannot pay a debt of its own token, because the contract asks for that in full first; base units. */
  readonly pledged?: ReadonlyArray<{ readonly token: ContractAddress; readonly amount: bigint }>
}

/** What a position has earned and not been paid. */
export interface Reward {
  readonly token: ContractAddress
  /** Base units; more than none. */
  readonly amount: bigint
  /** What comes in within an hour while the position is held, base units. Left out: not known. */
  readonly hourly?: bigint
  /** The function that claims it. Rewards of one position with the same function are claimed together, or not at all. */
  readonly claim: string
  /** Calls that it takes until what the claim pays is in the wallet, the claim among them: it may be paid into a deposit. Left out: one. */
  readonly calls?: bigint
  /** Why it cannot be claimed now, in words a caller can act on: the others are claimed without it. Left out: it can. */
  readonly heldUp?: string
  /** Leaving the position pays it in any case: it is no one's to give up, and its token must be receivable. Left out: only a claim pays it. */
  readonly comesAlong?: boolean
}

const unitsOfRow = (row: PositionRow): bigint => {
  switch (row.positionType) {
    case "supply":
      return BigInt(row.bTokenAmount)
    case "lp":
      return BigInt(row.shareAmount)
    case "stake":
      return BigInt(row.stakedAmount)
    case "cdp":
      return BigInt(row.collateralAmount)
    case "other":
      return row.holds.reduce((held, { amount }) => held + BigInt(amount), 0n)
    case "borrow":
      return 0n
  }
}

/** Base units of everything in a position: what a forfeit gives up at most. */
export const unitsOf = ({ rows, units }: Pick<HeldPosition, "rows" | "units">): bigint =>
  units ?? rows.reduce((sum, row) => sum + unitsOfRow(row), 0n)

/** A debt in one token. */
export interface TokenDebt {
  readonly token: ContractAddress
  /** Base units, as of the ledger that was read. */
  readonly amount: bigint
}

/** Something in a contract that could not be read with certainty. Each one blocks. */
export interface Unrecognized extends Schema.Schema.Type<typeof UnrecognizedDefiPosition> {
  readonly contract: ContractAddress
}

/** What a decoder makes of the entries it was given. */
export interface Decoded {
  /**
   * Queries to answer before the rest is valid. While there are any, `positions` and `unrecognized` are incomplete and unused: the queries
   * are sent, then the decoder runs again.
   */
  readonly further: ReadonlyArray<Question>
  readonly positions: ReadonlyArray<HeldPosition>
  readonly unrecognized: ReadonlyArray<Unrecognized>
  /** What is known of tokens and contracts that the rows name. */
  readonly enrichment: DefiPositionsResult["enrichment"]
}

/** Nothing held, and nothing more to read. */
export const noPositions: Decoded = { further: [], positions: [], unrecognized: [], enrichment: {} }
