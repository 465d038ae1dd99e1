import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { gate } from "../CodeGate.ts"
import type { Exit, ExitContext } from "../Exit.ts"
import { type Decoded, noPositions } from "../HeldPosition.ts"
import { undecoded } from "../kit/Decoding.ts"
import type { KnownCode } from "../kit/KnownCode.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import { noExit } from "../kit/NoExit.ts"
import { enrichmentOf } from "../kit/TokenFacts.ts"
import { part } from "../Place.ts"
import type { PoolVersion } from "./Interest.ts"
import * as Keys from "./Keys.ts"
import { poolState, reservesOf } from "./Pool.ts"
import { leavePool } from "./PoolExit.ts"
import { poolPosition } from "./Rows.ts"

/** What is known of a pool before an account's entries are read. */
export interface PoolFacts {
  readonly contract: ContractAddress
  /** One of many that strangers may add without end: of those one key tells whether an account ever came there. */
  readonly isFar: boolean
}

const stateOf = (code: KnownCode<PoolVersion>, contract: ContractAddress, user: AccountAddress, view: LedgerView) =>
  Either.flatMap(gate(view, contract, code), (gated) => poolState(view, gated, user))

const decoded = (code: KnownCode<PoolVersion>, contract: ContractAddress, user: AccountAddress, view: LedgerView): Decoded =>
  Either.match(stateOf(code, contract, user, view), {
    onLeft: (failure) => undecoded("lend_1", contract, "pool", failure),
    onRight: (pool) =>
      pool === null ? noPositions : {
        ...noPositions,
        positions: poolPosition(view, pool),
        enrichment: enrichmentOf(view, [...pool.holdings.map(({ asset }) => asset), ...(pool.rewards.length > 0 ? [pool.rewardToken] : [])])
      }
  })

const exit = (code: KnownCode<PoolVersion>, contract: ContractAddress, context: ExitContext): Exit =>
  Either.match(stateOf(code, contract, context.user, context.view), {
    onLeft: noExit(contract),
    onRight: (pool) => (pool === null ? { _tag: "Gone" } : leavePool(pool, context))
  })

/** Supplies, collateral and debts of an account in one pool, left as a whole. */
export const poolPart = (code: KnownCode<PoolVersion>) =>
  part<PoolFacts>("pool", {
    keys: ({ contract, isFar }, user) => isFar ? [Keys.positionsKey(contract, user)] : Keys.poolKeys(contract, user),
    decode: ({ contract, isFar }, user, view) =>
      isFar && view.state(Keys.positionsKey(contract, user))._tag === "Absent" ? noPositions : decoded(code, contract, user, view),
    exit: ({ contract }, _, context) => exit(code, contract, context),
    reserves: ({ contract, isFar }, view) => (isFar ? [] : reservesOf(view, contract))
  })
