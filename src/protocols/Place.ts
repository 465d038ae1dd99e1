import type { xdr } from "@stellar/stellar-sdk"
import type { Claim } from "../chain/witness/Statement.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { Exit, ExitContext } from "./Exit.ts"
import type { Decoded } from "./HeldPosition.ts"
import { type LedgerView, viewOf } from "./kit/LedgerView.ts"
import type { TradingPool } from "./TradingPool.ts"

/**
 * Somewhere an account may hold something of a protocol: a contract, or a corner of one, with what is known of it for every account alike.
 * Pure: it names keys, and makes positions and calls of what was read under them.
 */
export interface Place {
  readonly contract: ContractAddress
  /** The key of the only position that may be held here, where one contract has several places; left out: every position of the contract is. */
  readonly key?: string
  /** What it is, for people: `pool`. */
  readonly role: string
  /** Keys of the first round. One batch holds those of all protocols, so details of what is held belong into `further`. */
  readonly keys: (user: AccountAddress) => ReadonlyArray<xdr.LedgerKey>
  /**
   * What the account holds, from the entries that were read. An entry that does not decode, or code that is not known, is never
   * left out: it is an `unrecognized` item.
   */
  readonly decode: (user: AccountAddress, view: LedgerView) => Decoded
  /** How the position with this key is left; everything that goes into a call is taken from `context.view` anew. */
  readonly exit: (key: string, context: ExitContext) => Exit
  /** Tokens that can be put in here, by what was read. Left out: unknown. */
  readonly reserves?: (view: LedgerView) => ReadonlyArray<ContractAddress>
  /** Tokens that are the position themselves: balances of them are shown as positions, and nowhere else. Left out: none. */
  readonly shares?: ReadonlyArray<ContractAddress>
  /** The contract as a pool that trades. Left out: it does not. */
  readonly trades?: TradingPool
  /**
   * What was learned of the contract, where the keys depend on it. Before an account is closed because nothing was found there, a second
   * witness must confirm it.
   */
  readonly claim?: () => Claim
}

/** A fact that the keys of a place rest on. */
export interface Ground {
  /** What it says, spelt out. */
  readonly text: string
  readonly keys: ReadonlyArray<xdr.LedgerKey>
  /** Whether what was read under these keys says so. */
  readonly isToldIn: (view: LedgerView) => boolean
  /** Whether an upgrade in place may change it. Left out: it never changes. */
  readonly mayChange?: boolean
}

/** One kind of place of a protocol, over what its discovery learned of each. */
export interface Part<Facts extends { readonly contract: ContractAddress; readonly key?: string }> {
  readonly keys: (facts: Facts, user: AccountAddress) => ReadonlyArray<xdr.LedgerKey>
  readonly decode: (facts: Facts, user: AccountAddress, view: LedgerView) => Decoded
  readonly exit: (facts: Facts, key: string, context: ExitContext) => Exit
  readonly reserves?: (facts: Facts, view: LedgerView) => ReadonlyArray<ContractAddress>
  readonly shares?: (facts: Facts) => ReadonlyArray<ContractAddress>
  /** Null: this one does not trade. */
  readonly trades?: (facts: Facts) => TradingPool | null
  /** What the keys rest on beside the list that names the contract. Left out: nothing. */
  readonly ground?: (facts: Facts) => Ground
}

/** Facts are compared with entries of any ledger. */
const claimOf = ({ contract }: { readonly contract: ContractAddress }, { isToldIn, keys, mayChange = false, text }: Ground): Claim => ({
  text: `${contract} ${text}`,
  keys,
  mayChange,
  holds: (shown) => isToldIn(viewOf({ sequence: 0, closeTime: 0n }, shown, new Map()))
})

/** The places of one kind, each with facts of its own: what was learned of a contract is handed to everything that reads and leaves it. */
export const part = <Facts extends { readonly contract: ContractAddress; readonly key?: string }>(
  role: string,
  { decode, exit, ground, keys, reserves, shares, trades }: Part<Facts>
) =>
(facts: Facts): Place => {
  const pool = trades?.(facts) ?? null
  return {
    contract: facts.contract,
    ...(facts.key === undefined ? {} : { key: facts.key }),
    role,
    keys: (user) => keys(facts, user),
    decode: (user, view) => decode(facts, user, view),
    exit: (key, context) => exit(facts, key, context),
    ...(reserves === undefined ? {} : { reserves: (view) => reserves(facts, view) }),
    ...(shares === undefined ? {} : { shares: shares(facts) }),
    ...(ground === undefined ? {} : { claim: () => claimOf(facts, ground(facts)) }),
    ...(pool === null ? {} : { trades: pool })
  }
}

/** The contracts of some places, each once. */
export const contractsOf = (places: ReadonlyArray<Place>): ReadonlyArray<ContractAddress> => [
  ...new Set(places.map(({ contract }) => contract))
]

/** Keys of the first round of some places. */
export const keysOf = (places: ReadonlyArray<Place>, user: AccountAddress): ReadonlyArray<xdr.LedgerKey> =>
  places.flatMap((place) => place.keys(user))

/** What an account holds in some places. What several of them say of one contract is said once. */
export const decodePlaces = (places: ReadonlyArray<Place>, user: AccountAddress, view: LedgerView): Decoded => {
  const parts = places.map((place) => place.decode(user, view))
  const unrecognized = parts.flatMap((one) => one.unrecognized)
  return {
    further: parts.flatMap(({ further }) => further),
    positions: parts.flatMap(({ positions }) => positions),
    unrecognized: [...new Map(unrecognized.map((one) => [`${one.contract} ${one.rawType} ${one.reason}`, one])).values()],
    enrichment: Object.assign({}, ...parts.map(({ enrichment }) => enrichment))
  }
}

/** The places that a position may be in. */
export const placesOf = (places: ReadonlyArray<Place>, { contract, key }: { readonly contract: string; readonly key: string }) =>
  places.filter((place) => place.contract === contract && (place.key === undefined || place.key === key))
