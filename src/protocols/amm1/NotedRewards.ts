import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { struct, u128, u256, u64 } from "../../stellar/ScValCodec.ts"
import type { GateFailure } from "../CodeGate.ts"
import { type Decoded, noPositions } from "../HeldPosition.ts"
import { undecoded } from "../kit/Decoding.ts"
import { inInstance, instanceIn, type LedgerView, type Unusable, valueIn } from "../kit/LedgerView.ts"
import * as Entries from "./Entries.ts"
import * as Keys from "./Keys.ts"

/** What a pool noted that it owes a user, when the user's shares changed last. */
const OfPool = struct({ last_block: u64, pool_accumulated: u128, to_claim: u128 })

/** The same of a gauge. */
const OfGauge = struct({ epoch: u64, last_inv: u256, to_claim: u128 })

/** Whether a pool or one of its gauges noted that it owes a user anything: what is left once all shares were withdrawn. */
const isOwed = (view: LedgerView, pool: ContractAddress, user: AccountAddress): Either.Either<boolean, Unusable> =>
  Either.gen(function*() {
    const own = yield* valueIn(view, pool, Keys.userReward(user), OfPool)
    const instance = yield* instanceIn(view, pool)
    const gauges = instance === null ? null : yield* inInstance(pool, instance, Keys.Instance.gauges, Entries.Gauges)
    const ofGauges = yield* Either.all((gauges ?? []).map(([, gauge]) => valueIn(view, gauge, Keys.userReward(user), OfGauge)))
    return [own, ...ofGauges].some((noted) => noted !== null && noted.to_claim > 0n)
  })

/**
 * What becomes of a pool that cannot be read by who holds nothing in it any more: its code was changed. Who is owed nothing has nothing to do
 * with it; rewards that were noted are never passed over.
 */
export const leftIn = (
  view: LedgerView,
  { pool, user }: { readonly pool: ContractAddress; readonly user: AccountAddress },
  failure: GateFailure
): Decoded =>
  Either.match(isOwed(view, pool, user), {
    onLeft: (unusable) => undecoded("amm_1", pool, "pool", unusable),
    onRight: (owed) => (owed ? undecoded("amm_1", pool, "pool", failure) : noPositions)
  })
