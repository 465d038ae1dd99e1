import type { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { ContractAddress } from "../../../src/domain/Address.ts"
import { addressOf, addressVal, i128, string, u32 } from "../../../src/ledger/soroban/Values.ts"
import { contractEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { exampleTokenHash, exampleTokenTraits } from "../../../src/sandbox/contracts/ExampleToken.ts"
import { tokenStorage } from "../../../src/sandbox/contracts/Token.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { accountVal, callContract } from "../../../src/sandbox/scenarios/CallContract.ts"

/** Lifetime of every deployment in ledgers. */
const LIFE = 2_000_000

/** Puts a token of the soroban-examples family at an address. */
export const ExampleToken = (address: ContractAddress, admin: Keypair, symbol = "EXM") =>
  Effect.gen(function*() {
    const { amend } = yield* Network
    const storage = tokenStorage(exampleTokenTraits, {
      admin: addressOf(admin.publicKey()),
      decimals: 6,
      name: string("Example"),
      symbol: string(symbol)
    })
    yield* amend((state) => state.set(contractEntries(addressOf(address), exampleTokenHash, storage, state.header.ledgerSeq + LIFE)))
  })

/** The newest ledger. */
export const newestLedger = Effect.flatMap(Network, ({ snapshot }) => Effect.map(snapshot, ({ state }) => state.header.ledgerSeq))

/** Approves a spender for this many ledgers from now; returns the last of them. */
export const approve = (
  as: Keypair,
  token: ContractAddress,
  spender: string,
  { amount, ledgers = 1000 }: { readonly amount: bigint; readonly ledgers?: number }
) =>
  Effect.gen(function*() {
    const until = (yield* newestLedger) + ledgers
    yield* callContract("approve", {
      as,
      contract: addressOf(token),
      fn: "approve",
      args: [accountVal(as), addressVal(addressOf(spender)), i128(amount), u32(until)]
    })
    return until
  })

/** Closes this many empty ledgers. */
export const passing = (ledgers: number) =>
  Effect.flatMap(Network, ({ closeLedger }) => Effect.replicateEffect(closeLedger(), ledgers, { discard: true }))
