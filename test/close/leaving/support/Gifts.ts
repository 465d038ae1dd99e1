import { type Asset, type Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, addressVal, bool, i128, struct, u64, variant } from "../../../../src/ledger/soroban/Values.ts"
import { assetContractEntries, dataEntries } from "../../../../src/sandbox/contracts/Deployment.ts"
import { Network } from "../../../../src/sandbox/Network.ts"
import { poolEntries } from "./MaliceScene.ts"
import { positionKey } from "./ToyPool.ts"
import { poolAddresses } from "./ToyProtocol.ts"

const farAway = 2_000_000

/** A stranger gives an account positions in these pools, each of which pays this many stroops of an asset. */
export const Given = (to: Keypair, asset: Asset, amount: bigint, ...pools: ReadonlyArray<number>) =>
  Effect.gen(function*() {
    const network = yield* Network
    const token = addressOf(asset.contractId(network.passphrase))
    const balance = struct({ amount: i128(amount * 10n), authorized: bool(true), clawback: bool(false) })
    const contracts = pools.map((pool) => poolAddresses[pool]!)
    yield* network.amend((state) => {
      const { ledgerSeq } = state.header
      return state.set([
        ...assetContractEntries(asset.toXdrObject(), network.passphrase, farAway),
        ...contracts.flatMap((contract) => {
          const at = addressOf(contract)
          return [
            ...poolEntries(contract, { mode: "honest", thief: to.publicKey(), passphrase: network.passphrase }),
            ...dataEntries(token, [variant("Balance", addressVal(at)), balance], "persistent", farAway),
            ...dataEntries(
              at,
              [positionKey(addressOf(to.publicKey())), struct({ amount: i128(amount), token: addressVal(token), unlocks: u64(0n) })],
              "persistent",
              farAway
            )
          ]
        })
      ].map((entry) => new xdr.LedgerEntry({ ...entry, lastModifiedLedgerSeq: ledgerSeq })))
    })
    return contracts.map((contract) => `position:amm_2:${contract}:share`)
  })
