import { assert, describe, it } from "@effect/vitest"
import { Keypair, Operation, type Transaction, TransactionBuilder } from "@stellar/stellar-sdk"
import { Context, Duration, Effect, Fiber, Layer, type Schema } from "effect"
import { randomBytes } from "node:crypto"
import type { AccountState } from "../src/domain/Account.ts"
import type { TransactionsResult } from "../src/domain/CloseTransaction.ts"
import { Hang } from "../src/sandbox/faults/Connection.ts"
import { Network as SandboxNetwork } from "../src/sandbox/Network.ts"
import { startSandbox } from "../src/sandbox/Sandbox.ts"
import { fund, perform } from "../src/sandbox/scenarios/Scenario.ts"
import { contractsFile } from "./support/ContractsFile.ts"
import { jumping } from "./support/JumpingClock.ts"
import { layer } from "./support/Layered.ts"
import { type ErrorBody, startTestService, type TestService } from "./support/TestService.ts"
import { isThorough } from "./support/Thorough.ts"

const mainPassphrase = "A network that plays mainnet in a test"
const networks = ["mainnet", "testnet"] as const

type Name = (typeof networks)[number]
type Ledger = Context.Tag.Service<typeof SandboxNetwork>

const newKey = (): string => `lk_${randomBytes(32).toString("base64url")}`

/** A service over two networks: a sandbox of its own as testnet, another sandbox given by its URLs as mainnet. */
const overBoth = Effect.gen(function*() {
  const { ledgerApiUrl, network, rpcUrl } = yield* startSandbox({ passphrase: mainPassphrase })
  const { file } = yield* contractsFile("mainnet")
  const service = yield* startTestService({
    MAINNET_RPC_URLS: rpcUrl,
    MAINNET_LEDGER_API_URLS: ledgerApiUrl,
    MAINNET_PASSPHRASE: mainPassphrase,
    MAINNET_CONTRACTS_FILE: file,
    NETWORK_SANDBOX: "testnet",
    API_KEYS: `test=${newKey()}`
  })
  return { service, mainnet: network }
})

/** Such a service for several tests. */
class Both extends Context.Tag("closeout/test/Both")<Both, {
  readonly call: TestService["call"]
  readonly ledgers: Readonly<Record<Name, Ledger>>
  readonly passphrases: Readonly<Record<Name, string>>
}>() {
  static readonly layer = Layer.scoped(
    Both,
    Effect.gen(function*() {
      const { service, mainnet } = yield* overBoth
      return {
        call: service.call,
        ledgers: { mainnet, testnet: service.sandbox },
        passphrases: { mainnet: mainPassphrase, testnet: service.passphrase }
      }
    })
  )
}

const on = (network: Name) => <A, E>(scenario: Effect.Effect<A, E, SandboxNetwork>) =>
  Effect.flatMap(Both, ({ ledgers }) => Effect.provideService(scenario, SandboxNetwork, ledgers[network]))

const read = (network: Name, account: Keypair) =>
  Effect.flatMap(
    Both,
    ({ call }) => call<Schema.Schema.Encoded<typeof AccountState> & Partial<ErrorBody>>("GET", `/${network}/account/${account.publicKey()}`)
  )

const other = (network: Name): Name => (network === "mainnet" ? "testnet" : "mainnet")

const closeBody = (source: Keypair, destination: Keypair) => ({
  source: source.publicKey(),
  destination: destination.publicKey(),
  decisions: [{ id: `destination:${destination.publicKey()}`, choice: "i_control_this_address" }]
})

layer(Both.layer, { excludeTestServices: true })("two networks in one service", (it) => {
  for (const network of networks) {
    it.effect(`an account on ${network} alone is found there and nowhere else, whichever is asked first`, () =>
      Effect.gen(function*() {
        const account = Keypair.random()
        yield* on(network)(fund("12.5", account))
        for (const order of [[network, other(network)], [other(network), network]] as const) {
          for (const asked of order) {
            const { body, status } = yield* read(asked, account)
            if (asked === network) assert.deepInclude(body, { network, nativeBalanceLumens: "12.5000000" })
            else assert.deepStrictEqual([status, body.error?.code], [404, "not_found"])
          }
        }
      }))
  }

  it.effect("the same address holds on each network what it holds there, through many requests at once", () =>
    Effect.gen(function*() {
      const account = Keypair.random()
      yield* on("mainnet")(fund("11", account))
      yield* on("testnet")(fund("22", account))
      yield* on("testnet")(perform("an entry", { as: account, operations: [Operation.manageData({ name: "here", value: "1" })] }))
      const asked = Array.from({ length: 40 }, (_, at) => networks[(at * 7) % 3 % 2] ?? "mainnet")
      const answers = yield* Effect.forEach(asked, (network) => Effect.map(read(network, account), ({ body }) => ({ network, body })), {
        concurrency: "unbounded"
      })
      assert.sameMembers([...new Set(asked)], [...networks])
      for (const { body, network } of answers) {
        assert.strictEqual(body.network, network)
        assert.strictEqual(body.nativeBalanceLumens, network === "mainnet" ? "11.0000000" : "21.9999900")
        assert.lengthOf(body.dataEntries, network === "mainnet" ? 0 : 1)
      }
    }))

  it.effect("a transaction is built for the network that was asked, and taken there only", () =>
    Effect.gen(function*() {
      const { call, ledgers, passphrases } = yield* Both
      const [source, destination] = [Keypair.random(), Keypair.random()]
      for (const network of networks) yield* on(network)(fund("10", source, destination))
      const built = yield* Effect.forEach(networks, (network) =>
        Effect.map(
          call<Schema.Schema.Encoded<typeof TransactionsResult>>(
            "POST",
            `/v1/${network}/close/transactions`,
            closeBody(source, destination)
          ),
          ({ body }) => ({ network, transaction: body.transactions[0] })
        ), { concurrency: "unbounded" })
      for (const { network, transaction } of built) {
        assert.strictEqual(transaction?.networkPassphrase, passphrases[network])
        const envelope = TransactionBuilder.fromXdr(transaction?.xdr ?? "", passphrases[network]) as Transaction
        assert.strictEqual(Buffer.from(envelope.hash()).toString("hex"), transaction?.hash)
        envelope.sign(source)
        const elsewhere = yield* call<ErrorBody>("POST", `/v1/${other(network)}/submit`, { signedXdr: envelope.toXdr() })
        assert.include(["bad_signatures", "stale_sequence", "not_found"], elsewhere.body.error.code)
        const before = (yield* ledgers[other(network)].snapshot).state.header.ledgerSeq
        const done = yield* call<{ readonly status: string; readonly hash: string }>("POST", `/v1/${network}/submit`, {
          signedXdr: envelope.toXdr()
        })
        assert.deepInclude(done.body, { status: "success", hash: transaction?.hash ?? "" })
        assert.strictEqual((yield* ledgers[other(network)].snapshot).state.header.ledgerSeq, before)
        const found = yield* call<{ readonly status: string }>("GET", `/v1/${network}/transactions/${transaction?.hash}`)
        const strange = yield* call<{ readonly status: string }>("GET", `/v1/${other(network)}/transactions/${transaction?.hash}`)
        assert.deepStrictEqual([found.body.status, strange.body.status], ["success", "unknown"])
      }
    }))

  it.effect("what a plan rests on is told apart by its hash", () =>
    Effect.gen(function*() {
      const { call } = yield* Both
      const [source, destination] = [Keypair.random(), Keypair.random()]
      for (const network of networks) yield* on(network)(fund("10", source, destination))
      const hashes = yield* Effect.forEach(networks, (network) =>
        Effect.map(call<{ readonly planHash: string }>("POST", `/v1/${network}/close/plan`, closeBody(source, destination)), ({ body }) =>
          body.planHash))
      assert.notStrictEqual(hashes[0], hashes[1])
      const mixed = yield* call<ErrorBody>("POST", "/v1/mainnet/close/transactions", {
        ...closeBody(source, destination),
        planHash: hashes[1]
      })
      assert.strictEqual(mixed.body.error.code, "plan_changed")
    }))

  it.effect("both are shown, and only the sandbox as one", () =>
    Effect.gen(function*() {
      const { call } = yield* Both
      const { body } = yield* call<{ readonly networks: Readonly<Record<Name, Readonly<Record<string, unknown>>>> }>("GET", "/")
      assert.strictEqual(body.networks.mainnet["enabled"], true)
      assert.notStrictEqual(body.networks.mainnet["sandbox"], true)
      assert.deepInclude(body.networks.testnet, { enabled: true, sandbox: true })
    }))
})

describe("a network whose sources hang", () => {
  it.scopedLive.runIf(isThorough)("holds up no request on the other, however many wait for it", () =>
    Effect.gen(function*() {
      const { service, mainnet } = yield* overBoth
      const [source, destination] = [Keypair.random(), Keypair.random()]
      yield* Effect.provideService(fund("3", source, destination), SandboxNetwork, mainnet)
      yield* service.sandbox.faults.set({ fault: new Hang({}) })
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const hanging = yield* Effect.fork(Effect.forEach(
        Array.from({ length: 60 }),
        () => service.call<ErrorBody>("POST", "/v1/testnet/close/plan", request),
        { concurrency: "unbounded" }
      ))
      yield* Effect.sleep("1 second")
      const [took, answers] = yield* Effect.timed(Effect.all([
        service.call("POST", "/v1/mainnet/close/plan", request),
        service.call("GET", `/mainnet/account/${request.source}`)
      ], { concurrency: "unbounded" }))
      assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200])
      assert.isBelow(Duration.toSeconds(took), 5)
      const refused = yield* Fiber.join(hanging)
      const codes = new Set(refused.map(({ body }) => body.error.code))
      assert.deepStrictEqual([...codes].toSorted(), ["network_unavailable", "service_busy"])
    }).pipe(Effect.provide(jumping)))
})

describe("a network that does not answer", () => {
  it.scopedLive("is unavailable, and never answered for by the other", () =>
    Effect.gen(function*() {
      const { file } = yield* contractsFile("mainnet")
      const service = yield* startTestService({
        MAINNET_RPC_URLS: "http://127.0.0.1:1",
        MAINNET_LEDGER_API_URLS: "http://127.0.0.1:1",
        MAINNET_CONTRACTS_FILE: file,
        NETWORK_SANDBOX: "testnet",
        API_KEYS: `test=${newKey()}`
      })
      const account = Keypair.random()
      yield* service.on(fund("3", account))
      const [silent, found] = yield* Effect.all([
        service.call<ErrorBody>("GET", `/mainnet/account/${account.publicKey()}`),
        service.call<Schema.Schema.Encoded<typeof AccountState>>("GET", `/testnet/account/${account.publicKey()}`)
      ], { concurrency: "unbounded" })
      assert.deepStrictEqual([silent.status, silent.body.error.code], [503, "network_unavailable"])
      assert.strictEqual(found.body.nativeBalanceLumens, "3.0000000")
    }).pipe(Effect.provide(jumping)))
})
