import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { contractDataKey, instanceKey } from "../../stellar/ContractKeys.ts"
import { contract, type Of, type ScValCodec } from "../../stellar/ScValCodec.ts"
import { inInstance, instanceIn, present, valueIn } from "../kit/LedgerView.ts"
import type { LedgerView, Unusable } from "../kit/LedgerView.ts"
import * as Entries from "./Entries.ts"
import * as Keys from "./Keys.ts"

/** The contracts a pool works with. An upgrade in place may change each of them. */
export interface PoolParts {
  /** In the pool's order. */
  readonly tokens: readonly [ContractAddress, ContractAddress]
  readonly shareToken: ContractAddress
  readonly stake: ContractAddress
  /** The token of its shares before an upgrade, for which it still pays; null: there is none. */
  readonly oldShares: ContractAddress | null
}

/** The settings of a pool of either kind, which tell each other apart by their fields. */
const settingsOf: ScValCodec<Pick<Of<typeof Entries.Settings>, "share_token" | "stake_contract" | "token_a" | "token_b">> = {
  decode: (value) => Either.orElse(Entries.Settings.decode(value), () => Entries.StableSettings.decode(value)),
  encode: () => Keys.settings
}

/** A value of a pool, wherever it keeps it; null where it has none. */
export const keptIn = <A>(
  view: LedgerView,
  pool: ContractAddress,
  key: xdr.ScVal,
  codec: ScValCodec<A>
): Either.Either<A | null, Unusable> =>
  Either.gen(function*() {
    const instance = yield* instanceIn(view, pool)
    const inside = instance === null ? null : yield* inInstance(pool, instance, key, codec)
    return inside ?? (yield* valueIn(view, pool, key, codec))
  })

/** The keys that `keptIn` reads. */
export const keptUnder = (pool: ContractAddress, ...keys: ReadonlyArray<xdr.ScVal>): ReadonlyArray<xdr.LedgerKey> => [
  instanceKey(pool),
  ...keys.map((key) => contractDataKey(pool, key))
]

/** The token of the shares that a pool had before. */
const oldSharesIn = (view: LedgerView, pool: ContractAddress): Either.Either<ContractAddress | null, Unusable> =>
  valueIn(view, pool, Keys.oldShares, contract)

/** The keys that `partsIn` reads. */
export const partKeys = (pool: ContractAddress): ReadonlyArray<xdr.LedgerKey> => keptUnder(pool, Keys.settings, Keys.oldShares)

/** What a pool says it works with. Its code need not be known for that: nothing is called on the strength of it. */
export const partsIn = (view: LedgerView, pool: ContractAddress): Either.Either<PoolParts, Unusable> =>
  Either.gen(function*() {
    const settings = yield* keptIn(view, pool, Keys.settings, settingsOf)
    const { share_token, stake_contract, token_a, token_b } = yield* present(settings, contractDataKey(pool, Keys.settings))
    return {
      tokens: [token_a, token_b],
      shareToken: share_token,
      stake: stake_contract,
      oldShares: yield* oldSharesIn(view, pool)
    } as const
  })
