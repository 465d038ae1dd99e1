import type { xdr } from "@stellar/stellar-sdk"
import { Storage } from "../../../../src/ledger/soroban/Storage.ts"
import { callOf, tree } from "./Agreements.ts"
import type { ContractWorld } from "./ContractWorld.ts"
import { contractAt } from "./Entries.ts"
import { refusalOf } from "./HostErrors.ts"
import { machineOver } from "./Machines.ts"
import { shortLives } from "./Settings.ts"

export const payload = new Uint8Array(32).fill(5)

const root = tree(callOf(contractAt(1), "run"))

/** An authenticator of an engine over a ledger, in which nothing lives beyond ledger 1499 and a nonce until 1019 at least. */
export const authenticatorOver = (world: ContractWorld, signatures: "verify" | "assume" = "verify", entry?: xdr.LedgerEntry) => {
  const engine = machineOver(world, {
    contracts: world.options.contracts,
    storage: Storage.recording((id) => entry ?? world.state.find(id), shortLives),
    signatures
  })
  const authenticate = (address: xdr.ScAddress, signature: xdr.ScVal, agreed = root): string =>
    refusalOf(() => engine.authenticator.authenticate(address, payload, signature, agreed))
  const consume = (address: xdr.ScAddress, nonce: bigint, until: number): string =>
    refusalOf(() => engine.authenticator.consumeNonce(address, nonce, until))
  return { engine, authenticate, consume }
}
