import { assert, it } from "@effect/vitest"
import { Account, Address, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { agreementOf, decisionsOf } from "../../src/client/Agreement.ts"
import { settingsOf } from "../../src/client/CloseOptions.ts"
import { Closing } from "../../src/client/Closing.ts"
import { closingOf } from "../../src/client/Retrying.ts"
import { httpLayer } from "../../src/client/ServiceClient.ts"
import { withoutAssetContracts } from "../../src/client/Verification.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { sandboxContractsFile } from "../../src/sandbox/scenarios/SandboxDeployment.ts"
import { Service } from "../close/support/Service.ts"
import { serviceOver } from "../sandbox/contracts/ProtocolsServed.ts"
import { optionsFor } from "./support/Closes.ts"

const [pool] = sandboxContractsFile.protocols.lend_1.poolV2

it.scopedLive(
  "a call sells no classic asset by its contract, though the service hides the trustline, where a contract RPC is the witness",
  () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { destination, native, source } = yield* service.on(LendingNewcomer)
      const contract = native.contractId(service.passphrase)
      const asset = `token:${contract}`
      const other = `token:${pool}`
      const sale = { choice: "convert_to_native", params: { minReceive: "0.0000001" } }
      const agreement = yield* agreementOf([{ id: asset, ...sale }, { id: other, ...sale }])
      const calling = (...named: ReadonlyArray<string>) =>
        new TransactionBuilder(new Account(source.publicKey(), "1"), { fee: "100", networkPassphrase: service.passphrase })
          .addOperation(Operation.invokeContractFunction({
            contract: pool,
            function: "swap",
            args: named.map((one) => Address.fromString(one).toScVal())
          }))
          .setTimeout(300)
          .build()
      const left = (witness: { readonly rpcUrl: string } | undefined, ...named: ReadonlyArray<string>) =>
        Effect.gen(function*() {
          const options = optionsFor(service, source, destination.publicKey())
          const settings = yield* settingsOf(witness === undefined ? options : { ...options, witness })
          const kept = yield* Effect.provideService(
            withoutAssetContracts(agreement, calling(...named)),
            Closing,
            closingOf(settings, () => Effect.void)
          )
          return decisionsOf(kept).map(({ id }) => id)
        }).pipe(Effect.provide(httpLayer(undefined)))
      assert.deepStrictEqual(yield* left(service.ledger, contract, pool), [other])
      assert.deepStrictEqual(yield* left(service.ledger), [asset, other])
      assert.deepStrictEqual(yield* left(undefined, contract, pool), [asset, other])
    }).pipe(Effect.provide(serviceOver(["lend_1"], { closeEvery: "1 second" }))),
  60_000
)
