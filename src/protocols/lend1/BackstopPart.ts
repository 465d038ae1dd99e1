import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { instanceKey } from "../../stellar/ContractKeys.ts"
import { gate } from "../CodeGate.ts"
import type { GateFailure } from "../CodeGate.ts"
import type { Exit, ExitContext } from "../Exit.ts"
import { type Decoded, noPositions } from "../HeldPosition.ts"
import { undecoded } from "../kit/Decoding.ts"
import type { KnownCode } from "../kit/KnownCode.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import { noExit } from "../kit/NoExit.ts"
import { enrichmentOf } from "../kit/TokenFacts.ts"
import { part } from "../Place.ts"
import { backstopState, type BackstopVersion } from "./Backstop.ts"
import { leaveBackstop } from "./BackstopExit.ts"
import { cometIn } from "./CometPart.ts"
import type { PoolVersion } from "./Interest.ts"
import { backstopKeys } from "./Keys.ts"
import { nameOf } from "./Pool.ts"
import { backstopPosition } from "./Rows.ts"

/** What backstops and all that a deposit in one rests on may run. */
export interface BackstopCode {
  readonly pool: KnownCode<PoolVersion>
  readonly backstop: KnownCode<BackstopVersion>
  readonly comet: KnownCode<"backstopToken">
}

/** The deposit for one pool in a backstop. */
export interface DepositFacts {
  /** The backstop. */
  readonly contract: ContractAddress
  /** The pool. */
  readonly key: ContractAddress
}

/** A deposit, with the comet pool its tokens belong to; null when there never was one. */
const depositIn = (code: BackstopCode, { contract, key }: DepositFacts, view: LedgerView, user: AccountAddress) =>
  Either.gen(function*() {
    const state = yield* Either.flatMap(gate(view, contract, code.backstop), (gated) => backstopState(view, gated, key, user))
    return state === null ? null : { state, comet: yield* cometIn(code.comet, view, state.token, user) }
  })

/** What a pool calls itself; null where its code is not known, or it has no name. The deposit in a backstop does not rest on it. */
const poolNameIn = (code: KnownCode<PoolVersion>, view: LedgerView, pool: ContractAddress): Either.Either<string | null, GateFailure> =>
  Either.orElse(
    Either.flatMap(gate(view, pool, code), ({ instance }): Either.Either<string | null, GateFailure> => nameOf(pool, instance)),
    (failure) => (failure._tag === "Unread" ? Either.left(failure) : Either.right(null))
  )

const decode = (code: BackstopCode, facts: DepositFacts, user: AccountAddress, view: LedgerView): Decoded => {
  const { contract, key } = facts
  const gated = gate(view, contract, code.backstop)
  if (Either.isLeft(gated)) return undecoded("lend_1", contract, "backstop", gated.left)
  return Either.match(
    Either.flatMap(
      depositIn(code, facts, view, user),
      (found) => found === null ? Either.right(null) : Either.map(poolNameIn(code.pool, view, key), (poolName) => ({ ...found, poolName }))
    ),
    {
      onLeft: (failure) => undecoded("lend_1", contract, "backstop deposit", failure),
      onRight: (found) => {
        const positions = found === null
          ? []
          : backstopPosition(view, { backstop: found.state, comet: found.comet, poolName: found.poolName }, user)
        return {
          ...noPositions,
          positions,
          enrichment: found === null || positions.length === 0 ? {} : enrichmentOf(view, [found.state.token])
        }
      }
    }
  )
}

const exit = (code: BackstopCode, facts: DepositFacts, context: ExitContext): Exit =>
  Either.match(depositIn(code, facts, context.view, context.user), {
    onLeft: noExit(facts.contract),
    onRight: (found) => (found === null ? { _tag: "Gone" } : leaveBackstop(found.state, found.comet, context))
  })

/** A backstop itself. Unknown code is reported even where no pool is known that it stands for. */
export const backstopItself = (code: KnownCode<BackstopVersion>) =>
  part<{ readonly contract: ContractAddress; readonly key: "itself" }>("backstop", {
    keys: ({ contract }) => [instanceKey(contract)],
    decode: ({ contract }, _, view) =>
      Either.match(gate(view, contract, code), {
        onLeft: (failure) => undecoded("lend_1", contract, "backstop", failure),
        onRight: () => noPositions
      }),
    exit: () => ({ _tag: "Gone" })
  })

/** Deposits in a backstop, one for each pool it stands for. */
export const backstopPart = (code: BackstopCode) =>
  part<DepositFacts>("backstop", {
    keys: ({ contract, key }, user) => backstopKeys(contract, [key], user),
    decode: (facts, user, view) => decode(code, facts, user, view),
    exit: (facts, _, context) => exit(code, facts, context)
  })
