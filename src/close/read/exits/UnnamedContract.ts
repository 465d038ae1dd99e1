import { Effect, Either, Option } from "effect"
import type { AccountSnapshot } from "../../../account/AccountSnapshot.ts"
import type { Shown } from "../../../chain/Pinned.ts"
import type { SecondWitness } from "../../../chain/SecondWitness.ts"
import type { ContractAddress } from "../../../domain/Address.ts"
import { showAmount } from "../../../domain/Amount.ts"
import type { Situation } from "../../model/Situation.ts"
import { callsOf, type Exits, type PlannedExit } from "../../model/Exits.ts"
import { names } from "../simulation/Footprint.ts"

/** What leaving a position hands over beside the contract's own shares; base units, by token. */
const handedOver = (one: PlannedExit): ReadonlyMap<ContractAddress, bigint> => {
  const [calls, { contract, owes }] = [callsOf(one), one.position]
  const taken = calls.length > 0 ? calls.flatMap(({ holds }) => holds) : owes
  const sums = new Map<ContractAddress, bigint>()
  for (const { amount, token } of taken) if (token !== contract) sums.set(token, (sums.get(token) ?? 0n) + amount)
  return sums
}

/** Entries of contracts of the file that name a contract, as its list was read. */
const namingIn = ({ protocols }: AccountSnapshot, { contract, protocol: name }: PlannedExit["position"]): ReadonlyArray<Shown> =>
  protocols.flatMap((reading) => (reading._tag !== "Read" || reading.protocol.name !== name ? [] : reading.found?.answers ?? []))
    .filter(({ key, live }) => {
      const data = Option.getOrNull(live)?.entry.data
      if (key.type !== "contractData" || data?.type !== "contractData") return false
      return names(key.contractData.key, contract) || names(data.contractData.val, contract)
    })

const isListed = ({ protocols }: AccountSnapshot, { contract, protocol: name }: PlannedExit["position"]): boolean =>
  protocols.some(({ protocol }) => protocol.name === name && protocol.contracts?.includes(contract) === true)

/**
 * Contracts that neither the file lists, nor an entry of a contract of the file names that a second contract RPC shows as well, and that
 * would be handed something. Only these are asked about, so that a plan without them asks nobody.
 */
export const readUnnamed = (
  witness: SecondWitness["Type"],
  snapshot: AccountSnapshot,
  planned: Exits["planned"]
): Effect.Effect<Exits["unnamed"]> =>
  Effect.gen(function*() {
    const doubtful = planned.filter((one) => !isListed(snapshot, one.position) && handedOver(one).size > 0)
    const told = yield* Effect.forEach(doubtful, ({ position }) => {
      const naming = namingIn(snapshot, position)
      return naming.length === 0
        ? Effect.succeed([position.contract])
        : Effect.map(Effect.either(witness.confirm(() => false, naming)), (outcome) =>
          (Either.isRight(outcome) && outcome.right === "agreed" ? [] : [position.contract]))
    }, { concurrency: 4 })
    return new Set(told.flat())
  })

/** Why leaving a position is not the default although nothing else speaks against it: whom it hands what to. Null where its contract is known. */
export const unnamedContract = ({ exits: { assets, unnamed } }: Situation, one: PlannedExit): string | null => {
  const { contract, rows } = one.position
  if (!unnamed.has(contract)) return null
  const code = rows.flatMap((row) => row.wasmHash ?? [])[0] ?? callsOf(one)[0]?.code ?? "unknown"
  const amounts = [...handedOver(one)].map(([token, amount]) => `${assets.has(token) ? showAmount(amount) : amount} ${assets.get(token) ?? token}`)
  return `No file lists the contract ${contract} (code ${code}), and no second source confirms it. Leaving hands over to it ${amounts.join(", ")}.`
}
