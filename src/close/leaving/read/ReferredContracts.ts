import { Array as Arr, Effect, Option } from "effect"
import { currentPin, type Pin } from "../../../chain/Pin.ts"
import type { ContractAddress } from "../../../domain/Address.ts"
import { codeOf } from "../../../stellar/CodeReference.ts"
import { instanceKey } from "../../../stellar/ContractKeys.ts"
import { keyText } from "../../../xdr/LedgerKeys.ts"
import { callsOf, type Exits } from "../../situation/Exits.ts"

const isReferred = (pin: Pin | null, contract: ContractAddress): boolean => {
  const shown = Arr.last(pin?.shown.get(keyText(instanceKey(contract))) ?? [])
  const data = Option.getOrNull(Option.flatMap(shown, ({ live }) => live))?.entry?.data
  const value = data?.type === "contractData" ? data.contractData.val : null
  return value?.type === "scvContractInstance" && codeOf(value.instance)._tag === "Named"
}

/** Contracts of positions whose code somebody else keeps, by the instances that were read for this request. */
export const readReferred = (planned: Exits["planned"]): Effect.Effect<Exits["referred"]> =>
  Effect.map(currentPin, (pin) => {
    const contracts = new Set(planned.flatMap((one) => [one.position.contract, ...callsOf(one).map(({ contract }) => contract)]))
    return new Set([...contracts].filter((contract) => isReferred(pin, contract)))
  })
