import { Array as Arr, Effect, Either, Option } from "effect"
import type { AccountSnapshot } from "../../../account/AccountSnapshot.ts"
import { currentPin, type EntryEvidence, type Pin } from "../../../chain/Pin.ts"
import type { SecondWitness } from "../../../chain/witness/SecondWitness.ts"
import type { ContractAddress } from "../../../domain/Address.ts"
import { codeOf } from "../../../stellar/CodeReference.ts"
import { instanceKey } from "../../../stellar/ContractKeys.ts"
import { namesAddress } from "../../../stellar/ScAddresses.ts"
import { keyText } from "../../../xdr/LedgerKeys.ts"
import type { Exits } from "../../situation/Exits.ts"
import { callsOf, type PlannedExit } from "../../situation/PlannedExit.ts"
import { tokenOutflow } from "../payouts/TokenOutflow.ts"

const isReferred = (pin: Pin | null, contract: ContractAddress): boolean => {
  const shown = Arr.last(pin?.shown.get(keyText(instanceKey(contract))) ?? [])
  const data = Option.getOrNull(Option.flatMap(shown, ({ live }) => live))?.entry?.data
  const value = data?.type === "contractData" ? data.contractData.val : null
  return value?.type === "scvContractInstance" && codeOf(value.instance)._tag === "Named"
}

/** The position contracts whose code another contract names. From the instances that this request read. */
export const readReferredContracts = (planned: Exits["planned"]): Effect.Effect<Exits["referred"]> =>
  Effect.map(currentPin, (pin) => {
    const contracts = new Set(planned.flatMap((one) => [one.position.contract, ...callsOf(one).map(({ contract }) => contract)]))
    return new Set([...contracts].filter((contract) => isReferred(pin, contract)))
  })

/** The entries of listed contracts that name this contract, as the list was read. */
const entriesNaming = (
  { protocols }: AccountSnapshot,
  { contract, protocol: name }: PlannedExit["position"]
): ReadonlyArray<EntryEvidence> =>
  protocols.flatMap((reading) => (reading._tag !== "Read" || reading.protocol.name !== name ? [] : reading.found?.answers ?? []))
    .filter(({ key, live }) => {
      const data = Option.getOrNull(live)?.entry?.data
      if (key.type !== "contractData" || data?.type !== "contractData") return false
      return namesAddress(key.contractData.key, contract) || namesAddress(data.contractData.val, contract)
    })

const isListed = ({ protocols }: AccountSnapshot, { contract, protocol: name }: PlannedExit["position"]): boolean =>
  protocols.some(({ protocol }) => protocol.name === name && protocol.contracts.includes(contract))

/**
 * The position contracts that take tokens and that no confirmed source names. A contract counts as named where the contracts file lists it,
 * or where an entry of a listed contract names it and a second contract RPC confirms that entry.
 */
export const readUnnamedContracts = (
  witness: SecondWitness["Type"],
  snapshot: AccountSnapshot,
  planned: Exits["planned"]
): Effect.Effect<Exits["unnamed"]> =>
  Effect.gen(function*() {
    const resting = { account: snapshot.state.address, mayRestOnOne: false }
    const doubtful = planned.filter((one) => !isListed(snapshot, one.position) && tokenOutflow(one).size > 0)
    const told = yield* Effect.forEach(doubtful, ({ position }) => {
      const naming = entriesNaming(snapshot, position)
      return naming.length === 0
        ? Effect.succeed([position.contract])
        : Effect.map(
          Effect.either(witness.confirm(resting, () => false, { entries: naming, claims: [] })),
          (outcome) => (Either.isRight(outcome) && outcome.right === "agreed" ? [] : [position.contract])
        )
    }, { concurrency: 4 })
    return new Set(told.flat())
  })
