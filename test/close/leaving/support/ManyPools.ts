import { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { sha256 } from "../../../../src/ledger/Signatures.ts"
import { addressVal, bool, compareValues, contractAddress, vec } from "../../../../src/ledger/soroban/Values.ts"
import { contractEntries, dataEntries } from "../../../../src/sandbox/contracts/Deployment.ts"
import { rewardZoneKey } from "../../../../src/sandbox/contracts/lend1/BackstopKeys.ts"
import { poolV2Hash } from "../../../../src/sandbox/contracts/lend1/LendingPool.ts"
import { deployedKey } from "../../../../src/sandbox/contracts/lend1/PoolFactory.ts"
import { Network } from "../../../../src/sandbox/Network.ts"
import { lendingContracts } from "../../../../src/sandbox/scenarios/LendingContracts.ts"
import { LendingSupply } from "../../../support/scenarios/LendingSupply.ts"

/** The value with one address replaced by another. */
const renamed = (val: xdr.ScVal, from: xdr.ScVal, to: xdr.ScVal): xdr.ScVal => {
  if (compareValues(val, from) === 0) return to
  return val.type === "scvVec" ? xdr.ScVal.scvVec((val.vec ?? []).map((one) => renamed(one, from, to))) : val
}

/** A contract's entries, and its token balances, copied to another contract. */
const copied = (
  entries: ReadonlyArray<xdr.LedgerEntry>,
  from: xdr.ScAddress,
  to: xdr.ScAddress,
  until: number
): ReadonlyArray<xdr.LedgerEntry> => {
  const [own, other] = [addressVal(from), addressVal(to)]
  return entries.flatMap(({ data }) => {
    if (data.type !== "contractData") return []
    const { contract, durability, key, val } = data.contractData
    const isOwn = compareValues(addressVal(contract), own) === 0
    if (isOwn && val.type === "scvContractInstance") {
      return contractEntries(to, poolV2Hash, (val.instance.storage ?? []).map((one) => [one.key, one.val] as const), until)
    }
    const said = renamed(key, own, other)
    return isOwn || compareValues(said, key) !== 0
      ? dataEntries(isOwn ? to : contract, [said, val], durability.name === "temporary" ? "temporary" : "persistent", until)
      : []
  })
}

/** An account that lends the same amount to each of this many pools, all of which are in the backstop's reward zone. */
export const LendingToMany = (count: number) =>
  Effect.gen(function*() {
    const scene = yield* LendingSupply
    const { amend } = yield* Network
    const { backstop, pool, poolFactory } = lendingContracts
    const others = Array.from({ length: count - 1 }, (_, index) =>
      contractAddress(new xdr.ContractId(sha256(Buffer.from(`one of many ${index}`)))))
    yield* amend((state) => {
      const until = state.header.ledgerSeq + 100_000
      const entries = [...state.entries()]
      return state.set([
        ...dataEntries(backstop, [rewardZoneKey, vec(...[pool, ...others].map(addressVal))], "persistent", until),
        ...others.flatMap((
          other
        ) => [...dataEntries(poolFactory, [deployedKey(other), bool(true)], "persistent", until), ...copied(entries, pool, other, until)])
      ])
    })
    return scene
  })
