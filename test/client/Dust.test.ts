import { assert, describe, it } from "@effect/vitest"
import { Asset, Claimant, type Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { agreementOf } from "../../src/client/Agreement.ts"
import { closeAccount, type CloseOptions, prepareBundle, signBundle } from "../../src/client/Client.ts"
import { tooSmall } from "../../src/client/Dust.ts"
import { strkeyOf } from "../../src/ledger/soroban/Values.ts"
import { lendingContracts } from "../../src/sandbox/scenarios/LendingContracts.ts"
import { withManyPairs } from "../../src/sandbox/scenarios/PairsEntries.ts"
import { PairsNewcomer } from "../../src/sandbox/scenarios/PairsNewcomer.ts"
import type { DeployedProtocol } from "../../src/sandbox/scenarios/SandboxDeployment.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { LendsSinceNow } from "../close/leaving/support/Emissions.ts"
import { Pair } from "../close/support/Accounts.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { laterLedger, serviceOver } from "../sandbox/contracts/ProtocolsServed.ts"
import { isThorough } from "../support/Thorough.ts"
import { closed, optionsFor } from "./support/Closes.ts"

/** The service over a sandbox that closes ledgers on a timer, as a real network does. */
const over = (...names: ReadonlyArray<DeployedProtocol>) => serviceOver(names, { closeEvery: "1 second" })

const closes = (
  { destination, source }: { readonly source: Keypair; readonly destination: Keypair },
  decisions: CloseOptions["decisions"] = []
) =>
  Effect.gen(function*() {
    const service = yield* Service
    yield* closed({ ...optionsFor(service, source, destination.publicKey()), decisions })
    assert.isNull(yield* accountOf(source))
  })

/** One share in each of three pairs, which pay nothing for it. */
const sharesFor = ({ source }: { readonly source: Keypair }) =>
  Effect.gen(function*() {
    const { passphrase, sandbox } = yield* Service
    const dust = { count: 3, reserves: [9_000_000n, 10_000_000n], supply: 9_486_832n, holder: source.publicKey(), shares: 1n } as const
    yield* sandbox.amend((state) => withManyPairs(state, passphrase, dust).state)
    yield* laterLedger
  })

/** The answers of a close, up to its first transaction. */
const agreedOf = async (options: CloseOptions) => {
  let agreed: CloseOptions["decisions"] = []
  for await (const event of closeAccount(options)) {
    if (event._tag === "planned") agreed = event.decisions
    if (event._tag === "verified") break
  }
  return agreed ?? []
}

describe("what is worth too little to be taken along", () => {
  it.scopedLive("a stranger's share, which its pool pays nothing for, stops no close", () =>
    Effect.gen(function*() {
      const { on, passphrase, sandbox } = yield* Service
      const scene = yield* on(PairsNewcomer)
      const dust = {
        count: 3,
        reserves: [9_000_000n, 10_000_000n],
        supply: 9_486_832n,
        holder: scene.source.publicKey(),
        shares: 1n
      } as const
      yield* sandbox.amend((state) => withManyPairs(state, passphrase, dust).state)
      yield* laterLedger
      yield* closes(scene)
    }).pipe(Effect.provide(over("amm_2"))), 60_000)

  it.scopedLive("a balance that can never be claimed stops no close", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const scene = yield* on(Pair("200"))
      const over = Claimant.predicateBeforeAbsoluteTime("1")
      yield* on(perform("a stranger sets a balance apart whose time is over", {
        as: scene.destination,
        operations: [Operation.createClaimableBalance({
          asset: Asset.native(),
          amount: "1",
          claimants: [new Claimant(scene.source.publicKey(), over)]
        })]
      }))
      yield* laterLedger
      yield* closes(scene)
    }).pipe(Effect.provide(over())), 60_000)

  it.scopedLive("rewards that cost more than they bring stop no close", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const scene = yield* on(LendsSinceNow(1n))
      yield* laterLedger
      yield* closes(scene)
    }).pipe(Effect.provide(over("lend_1"))), 60_000)

  it.scopedLive.runIf(isThorough)("rewards that their owner declines stop no close", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const scene = yield* on(LendsSinceNow(1_000n))
      yield* laterLedger
      const id = `position:lend_1:${strkeyOf(lendingContracts.pool)}:reserves`
      yield* closes(scene, [{ id, choice: "exit_without_rewards" }])
    }).pipe(Effect.provide(over("lend_1"))), 60_000)

  it.scopedLive.runIf(isThorough)("a stranger's share stops no signer of a bundle", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const scene = yield* service.on(PairsNewcomer)
      yield* sharesFor(scene)
      const options = optionsFor(service, scene.source, scene.destination.publicKey())
      const decisions = yield* Effect.promise(() => agreedOf(options))
      const bundle = yield* Effect.promise(() => prepareBundle({ ...options, decisions }))
      assert(bundle !== null)
      const { envelope } = yield* Effect.promise(() => signBundle(bundle, { ...options, decisions }))
      assert.notStrictEqual(envelope, bundle.envelope)
    }).pipe(Effect.provide(over("amm_2"))), 60_000)
})

describe("positions that a plan leaves as worth too little", () => {
  const agreed = (decisions: CloseOptions["decisions"] = []) => Effect.runSync(agreementOf(decisions))
  const [pair, other] = ["position:amm_2:CPAIR:shares", "position:amm_2:COTHER:shares"]
  const left = (
    dust: ReadonlyArray<string>,
    subject: string,
    decisions: CloseOptions["decisions"] = []
  ) => [...tooSmall([{ code: "position_too_small", message: "", subject }], agreed(decisions), new Set(dust))]

  it("are left only where the account's own rows show next to nothing", () => {
    assert.deepStrictEqual(left([pair], pair), [pair])
    assert.deepStrictEqual(left([], pair), [])
    assert.deepStrictEqual(left([pair], other), [])
    assert.deepStrictEqual(left([pair, other], "amm_2"), [pair, other])
  })
})
