import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { ContractCall } from "../operations/ContractCall.ts"
import type { LedgerView } from "./kit/LedgerView.ts"
import type { Question } from "./kit/Question.ts"

/** What is known of the account when it leaves a position. */
export interface ExitContext {
  readonly user: AccountAddress
  /** Entries of the newest ledger: everything in `args` comes from here. */
  readonly view: LedgerView
  /** What the account can spend of a token now, base units: without reserves, fees and what offers hold. */
  readonly spendable: (token: ContractAddress) => bigint
  /** The most that a call may pay less than what is expected of it, in hundredths of a per cent: of the decision, else of the request. */
  readonly maxSlippageBps: number
  /**
   * Until when the transaction that carries the next call may be applied, Unix seconds: the time bound of its envelope. What a debt lacks
   * has arrived by then: `RepayAssetShort` tells what is owed at that time.
   */
  readonly deadline: bigint
  /** The caller decided to leave without claiming rewards (`exit_without_rewards`). */
  readonly withoutRewards: boolean
  /** Functions of claims that are not worth their fee: they are not made, and what they would pay stays behind. Left out: all are worth it. */
  readonly claimsLeft?: ReadonlySet<string>
  /**
   * Functions of claims that the account made lately. None of them is made again before the position is left where more comes in as long as
   * it is held: such an exit would never end. Left out: none.
   */
  readonly claimsMade?: ReadonlySet<string>
  /** The token with which the caller decided to buy what a debt lacks (`buy_repay_asset_then_exit`); left out: nothing is bought. */
  readonly buysWith?: ContractAddress
  /** How long after it was built a call may still be applied, seconds: what it repays must suffice until then. Left out: not known. */
  readonly usableFor?: bigint
  /** The caller decided to leave the position behind (`acknowledge_forfeit`): nothing that takes long is read for a call. Left out: not so. */
  readonly givenUp?: boolean
}

/** Why a position cannot be left now. */
export type ExitRefusal =
  /** It unlocks by itself; nothing else is left to do until then. `unlocksAt`: Unix seconds. */
  | { readonly _tag: "CoolingDown"; readonly unlocksAt: bigint }
  /**
   * The account cannot spend enough of a token to pay a debt. `needed`: base units that pay it once the missing amount has arrived
   * (`deadline`). `held`: base units it has.
   */
  | { readonly _tag: "RepayAssetShort"; readonly token: ContractAddress; readonly needed: bigint; readonly held: bigint }
  /** The contract cannot do it at present, in words a caller can act on. */
  | { readonly _tag: "Unavailable"; readonly reason: string }
  /** What a position has earned is known to its contract alone, and that was not told: leaving might give it up. */
  | { readonly _tag: "RewardsUnread"; readonly contract: ContractAddress }
  /** The code of a contract that would be read or called is not known. */
  | { readonly _tag: "UnknownCode"; readonly contract: ContractAddress; readonly wasmHash: string | null }
  /** An entry holds something else than expected. */
  | { readonly _tag: "Undecodable"; readonly contract: ContractAddress; readonly reason: string }

/** How a position is left. */
export type Exit =
  /** These queries must be answered first; then the exit is requested again. */
  | { readonly _tag: "Further"; readonly questions: ReadonlyArray<Question> }
  /** It is not there any more. */
  | { readonly _tag: "Gone" }
  /**
   * The calls that remain, in order. Only the first is exact: it is built, and after it everything is read again. The others are
   * what would follow if nothing else changed. `unlocksAt`: the account must be left open until then (Unix seconds), because the
   * last of these calls starts a waiting time; null when the calls leave nothing behind. `leadsOn`: what follows them rests on what
   * they bring, and is not foreseen.
   */
  | {
    readonly _tag: "Calls"
    readonly calls: readonly [ContractCall, ...ReadonlyArray<ContractCall>]
    readonly unlocksAt: bigint | null
    readonly leadsOn?: boolean
    /**
     * The first call hands one thing over for another, so that its owner might be better off without it: it is made by default only
     * where what it pays is more lumens than what it takes would bring.
     */
    readonly isTrade?: boolean
    /** What may become of the position before it is left, in words; left out: nothing that is known. */
    readonly risk?: string
  }
  | { readonly _tag: "Refused"; readonly refusal: ExitRefusal; readonly risk?: string }

/** What it means that a call failed when it was simulated, or on the ledger. */
export type CallProblem =
  /** The ledger is not what the call was built from any more: read again and build again. */
  | { readonly _tag: "Changed" }
  /** A waiting time is not over. */
  | { readonly _tag: "TooEarly" }
  /** The account holds less of a token than the call needs. */
  | { readonly _tag: "Short" }
  /** The account cannot receive a token the call pays: no line, no authorisation, or no room. */
  | { readonly _tag: "CannotReceive" }
  /** The contract refuses, in words a caller can act on. */
  | { readonly _tag: "Unavailable"; readonly reason: string }
