import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { CallbackFailed, closeAccount, type CloseOptions, TransactionNotVerified, UnprovenContract } from "../../src/client/Client.ts"
import { lumen } from "../../src/ledger/Asset.ts"
import { submitRequests } from "../../src/sandbox/scenarios/LendingMarket.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { sandboxContractsFile } from "../../src/sandbox/scenarios/SandboxDeployment.ts"
import { Service } from "../close/support/Service.ts"
import { serviceOver } from "../sandbox/contracts/ProtocolsServed.ts"
import { sandboxContracts } from "./support/CarefulOwner.ts"
import { optionsFor } from "./support/Closes.ts"
import { type Change, intercepted } from "./support/Intercepted.ts"

const { code, protocols } = sandboxContracts
const { poolV2: [pool], ...withoutPool } = sandboxContractsFile.protocols.lend_1
const { poolV1: [claimed], poolV2: _, ...otherCode } = sandboxContractsFile.code.lend_1

/** Does not list the pool that the account lends to. */
const unlisted = { ...sandboxContracts, protocols: { ...protocols, lend_1: withoutPool } }

/** Does not know the pool's code either. */
const foreign = { ...unlisted, code: { ...code, lend_1: { ...otherCode, poolV1: [claimed] } } }

/** Says that the pool runs code which callers know. */
const lying: Change = ({ body, path }) => {
  const read = body["defiPositions"] as Record<string, unknown> | undefined
  if (!path.includes("/account/") || read === undefined) return null
  const positions = (read["positions"] as ReadonlyArray<object>).map((row) => ({ ...row, wasmHash: claimed }))
  return { ...body, defiPositions: { ...read, positions } }
}

it.scopedLive(
  "a contract of which only the service says what it runs is called for nothing that takes from the account",
  () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { destination, native, source } = yield* service.on(LendingNewcomer)
      yield* service.on(submitRequests("the account lends", source, ["supplyCollateral", native, 1_000n * lumen]))
      const to = destination.publicKey()
      const decisions = [{ id: `destination:${to}`, choice: "i_control_this_address" }]
      const options = { ...optionsFor(service, source, to), decisions }
      const never = () => assert.fail("it was to be signed")
      const stopped = (changed: Partial<CloseOptions>) =>
        Effect.map(
          Effect.either(closeAccount({ ...options, sign: never, ...changed }).effect),
          (ended) => ended._tag === "Left" ? ended.left : assert.fail("the account was closed")
        )

      const { fetch } = intercepted(lying)
      const hostile = yield* stopped({ contracts: foreign, fetch })
      assert.instanceOf(hostile, UnprovenContract)
      assert.deepStrictEqual([hostile.contract, hostile.wasmHash], [pool, claimed])
      // A ledger API proves no code.
      assert.instanceOf(yield* stopped({ contracts: unlisted, witness: { ledgerApiUrl: service.ledger.ledgerApiUrl } }), UnprovenContract)

      // The caller's own contract RPC shows the code that really runs there.
      const witness = service.ledger
      const refused = yield* stopped({ contracts: foreign, fetch, witness })
      assert.instanceOf(refused, TransactionNotVerified)
      assert.deepStrictEqual(refused.violations.map(({ rule }) => rule), ["contract_function"])

      // Proved by a witness, or listed by the caller, it is signed for.
      const sign = () => {
        throw new Error("it is signed")
      }
      for (const known of [{ contracts: unlisted, witness }, { contracts: sandboxContracts }]) {
        assert.instanceOf(yield* stopped({ ...known, sign }), CallbackFailed)
      }
    }).pipe(Effect.provide(serviceOver(["lend_1"], { closeEvery: "1 second" }))),
  60_000
)
