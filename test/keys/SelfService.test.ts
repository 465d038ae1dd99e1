import { assert, describe, it as bare } from "@effect/vitest"
import { Account, Keypair, Operation, StrKey, TransactionBuilder, WebAuth } from "@stellar/stellar-sdk"
import { Effect, Fiber, TestClock } from "effect"
import { randomBytes } from "node:crypto"
import type { ApiKeyRecord } from "../../src/domain/ApiKeyRecord.ts"
import { LaggingLedgerApi } from "../../src/sandbox/faults/LimitedServer.ts"
import { ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import { type ErrorBody, startTestService, type TestService, unwatched } from "../support/TestService.ts"
import { isThorough } from "../support/Thorough.ts"
import { bearer, challengeFor, openedBy, sessionFor, signedBy } from "./support/Proving.ts"

interface Issued {
  readonly key: string
  readonly record: ApiKeyRecord
}

const secret = Keypair.random()

/** An account with one more signer, and the weight that its operations need. */
const shared = (weights: { readonly master: number; readonly signer: number; readonly medium: number }) =>
  Effect.gen(function*() {
    const [account, signer] = [Keypair.random(), Keypair.random()]
    yield* fund("100", account)
    yield* perform("a second signer", {
      as: account,
      operations: [Operation.setOptions({
        masterWeight: weights.master,
        medThreshold: weights.medium,
        highThreshold: weights.medium,
        signer: { ed25519PublicKey: signer.publicKey(), weight: weights.signer }
      })]
    })
    return { account, signer }
  })

/** Yesterday's challenge of this service, signed by both sides. */
const old = (networkPassphrase: string, somebody: Keypair): string => {
  const yesterday = Math.floor(Date.now() / 1000) - 86_400
  const made = new TransactionBuilder(new Account(secret.publicKey(), "-1"), {
    fee: "100",
    networkPassphrase,
    timebounds: { minTime: yesterday, maxTime: yesterday + 900 }
  }).addOperation(
    Operation.manageData({
      name: "close.example.org auth",
      value: randomBytes(48).toString("base64"),
      source: somebody.publicKey()
    })
  ).addOperation(Operation.manageData({ name: "web_auth_domain", value: "close.example.org", source: secret.publicKey() })).build()
  made.sign(secret, somebody)
  return made.toEnvelope().toXdr("base64")
}

describe("self-service", () => {
  layer(Service.layer({ SEP10_SECRET: secret.secret(), PUBLIC_URL: "https://close.example.org/" }, unwatched))("over the sandbox", (it) => {
    it.effect("gives a key to who signs a challenge, and the key opens the API", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const somebody = Keypair.random()
        yield* service.on(fund("100", somebody))
        const challenge = yield* challengeFor(service, somebody.publicKey())
        const read = WebAuth.readChallengeTx(
          challenge.transaction,
          secret.publicKey(),
          service.passphrase,
          "close.example.org",
          "close.example.org"
        )
        assert.strictEqual(read.clientAccountID, somebody.publicKey())
        assert.strictEqual(challenge.networkPassphrase, service.passphrase)
        assert.isAbove(Date.parse(challenge.expiresAt), Date.now())

        const session = yield* openedBy(service, somebody.publicKey(), somebody)
        assert.strictEqual(session.expiresAt, "1970-01-01T00:30:00.000Z")
        const mine = bearer(session.token)
        const made = yield* service.call<Issued>("POST", "/keys/mine", undefined, mine)
        assert.deepStrictEqual([made.status, made.body.record.owner], [201, somebody.publicKey()])
        const used = (key: string) => service.call<ErrorBody>("GET", "/testnet/paths", undefined, bearer(key))
        assert.strictEqual((yield* used(made.body.key)).body.error.code, "missing_parameters")

        const rotated = yield* service.call<Issued>("POST", `/keys/mine/${made.body.record.id}/rotate`, undefined, mine)
        assert.deepStrictEqual([rotated.status, rotated.body.record.rotatedFrom], [200, made.body.record.id])
        assert.strictEqual((yield* used(made.body.key)).status, 401)
        assert.strictEqual((yield* used(rotated.body.key)).status, 400)

        const revoked = yield* service.call<{ readonly record: ApiKeyRecord }>(
          "POST",
          `/keys/mine/${rotated.body.record.id}/revoke`,
          undefined,
          mine
        )
        assert.deepStrictEqual([revoked.status, revoked.body.record.revokedAt === null], [200, false])
        assert.strictEqual((yield* used(rotated.body.key)).status, 401)
        const listed = yield* service.call<{ readonly keys: ReadonlyArray<ApiKeyRecord> }>("GET", "/keys/mine", undefined, mine)
        assert.sameMembers(listed.body.keys.map(({ id }) => id), [made.body.record.id, rotated.body.record.id])
      }))

    it.effect("gives five live keys an account and no sixth", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const somebody = Keypair.random()
        const mine = bearer((yield* openedBy(service, somebody.publicKey(), somebody)).token)
        const create = service.call<ErrorBody>("POST", "/keys/mine", undefined, mine)
        const answers = yield* Effect.replicateEffect(create, 6)
        assert.deepStrictEqual(answers.map(({ status }) => status), [201, 201, 201, 201, 201, 409])
        assert.strictEqual(answers[5]?.body.error.code, "key_limit_reached")
      }))

    it.effect("takes an account that does not exist from its own key alone", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const [nobody, other] = [Keypair.random(), Keypair.random()]
        assert.isString((yield* openedBy(service, nobody.publicKey(), nobody)).token)
        const challenge = yield* challengeFor(service, nobody.publicKey())
        assert.strictEqual((yield* sessionFor(service, signedBy(challenge, other))).status, 401)
        assert.strictEqual((yield* sessionFor(service, signedBy(challenge, nobody, other))).status, 401)
      }))

    it.effect("asks for the weight that the account's medium threshold needs, by signers of now", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { account, signer } = yield* service.on(shared({ master: 1, signer: 2, medium: 3 }))
        const address = account.publicKey()
        const statusOf = (...signers: ReadonlyArray<Keypair>) =>
          Effect.flatMap(challengeFor(service, address), (challenge) => sessionFor(service, signedBy(challenge, ...signers)))
        const short = yield* statusOf(signer)
        assert.deepStrictEqual([short.status, short.body.error.code, short.body.error.details?.["needed"]], [422, "bad_signatures", [
          { account: address, requiredWeight: 3, presentWeight: 2 }
        ]])
        assert.strictEqual((yield* statusOf(account)).status, 422)
        assert.strictEqual((yield* statusOf(account, signer)).status, 200)
        assert.strictEqual((yield* statusOf(account, signer, Keypair.random())).status, 401)
        assert.strictEqual((yield* statusOf(Keypair.random())).status, 401)
      }))

    it.effect("takes nothing from a master key whose weight is zero, though no threshold is set", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { account, signer } = yield* service.on(shared({ master: 0, signer: 1, medium: 0 }))
        const challenge = yield* challengeFor(service, account.publicKey())
        assert.strictEqual((yield* sessionFor(service, signedBy(challenge, account))).status, 401)
        assert.strictEqual((yield* sessionFor(service, signedBy(challenge, signer))).status, 200)
      }))

    it.effect("opens nothing while one source lags behind a change of signers, or fails", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { account } = yield* service.on(shared({ master: 0, signer: 1, medium: 1 }))
        const challenge = yield* challengeFor(service, account.publicKey())
        yield* service.sandbox.closeLedger()
        yield* service.sandbox.faults.set({ fault: new LaggingLedgerApi({ ledgers: 2 }) })
        const lagging = yield* sessionFor(service, signedBy(challenge, account))
        assert.deepStrictEqual([lagging.status, lagging.body.error.code], [503, "sources_disagree"])
        yield* service.sandbox.faults.clear()
        yield* service.sandbox.faults.set({ fault: new ServiceUnavailable(), rest: `/accounts/${account.publicKey()}` })
        const meanwhile = Effect.gen(function*() {
          const asking = yield* Effect.fork(sessionFor(service, signedBy(challenge, account)))
          yield* Effect.repeat(TestClock.adjust("1 second"), { until: () => Effect.map(asking.status, ({ _tag }) => _tag === "Done") })
          const { body, status } = yield* Fiber.join(asking)
          return [status, body.error.code]
        })
        assert.deepStrictEqual(yield* meanwhile, [503, "network_unavailable"])
        yield* service.sandbox.faults.clear()
        // The service retries a failed source a few times a second until it answers.
        assert.deepStrictEqual(yield* meanwhile, [401, "unauthorized"])
      }))

    it.effect("takes no challenge twice, none of others, none for another network, and none without signatures", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const somebody = Keypair.random()
        const address = somebody.publicKey()
        const challenge = yield* challengeFor(service, address)
        const signed = signedBy(challenge, somebody)
        assert.strictEqual((yield* sessionFor(service, signed)).status, 200)
        const build = (
          { by = secret, domain = "close.example.org", network = service.passphrase }: {
            readonly by?: Keypair
            readonly domain?: string
            readonly network?: string
          }
        ) => {
          const made = TransactionBuilder.fromXdr(WebAuth.buildChallengeTx(by, address, domain, 900, network, domain), network)
          made.sign(somebody)
          return made.toEnvelope().toXdr("base64")
        }
        assert.strictEqual((yield* sessionFor(service, build({}))).status, 200)
        const resigned = TransactionBuilder.fromXdr(signed, service.passphrase)
        resigned.sign(somebody)
        const refused = {
          replayed: signed,
          signedTwice: resigned.toEnvelope().toXdr("base64"),
          unsigned: (yield* challengeFor(service, address)).transaction,
          ofAnotherServer: build({ by: Keypair.random() }),
          signedBySomebodyAsServer: build({ by: somebody }),
          ofAnotherDomain: build({ domain: "close.example.com" }),
          ofAnotherNetwork: build({ network: "Public Global Stellar Network ; September 2015" }),
          longExpired: old(service.passphrase, somebody)
        }
        for (const [why, transaction] of Object.entries(refused)) {
          const { body, status } = yield* sessionFor(service, transaction)
          assert.deepStrictEqual([why, status, body.error.code], [why, 401, "unauthorized"])
        }
        for (const transaction of ["", "AAAA", "not base64!", "a".repeat(1_000), challenge.transaction.slice(0, -8)]) {
          const { body, status } = yield* sessionFor(service, transaction)
          assert.deepStrictEqual([status, body.error.code], [400, "invalid_transaction"])
        }
      }))

    it.effect("opens one session of many that ask with the same challenge at once", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const somebody = Keypair.random()
        const signed = signedBy(yield* challengeFor(service, somebody.publicKey()), somebody)
        const answers = yield* Effect.replicateEffect(sessionFor(service, signed), 10, { concurrency: "unbounded" })
        assert.lengthOf(answers.filter(({ status }) => status === 200), 1)
        assert.lengthOf(answers.filter(({ status }) => status === 401), 9)
      }))

    it.effect("makes challenges for accounts only, on networks that are served", () =>
      Effect.gen(function*() {
        const { call } = yield* Service
        const address = Keypair.random().publicKey()
        const muxed = StrKey.encodeMed25519PublicKey(Buffer.concat([Buffer.from(StrKey.decodeEd25519PublicKey(address)), Buffer.alloc(8)]))
        const contract = StrKey.encodeContract(Buffer.alloc(32, 1))
        for (const wrong of ["", "G", address.toLowerCase(), muxed, contract]) {
          const { body, status } = yield* call<ErrorBody>("POST", "/keys/challenge", { network: "testnet", address: wrong })
          assert.deepStrictEqual([status, body.error.code], [400, "invalid_address"])
        }
        const off = yield* call<ErrorBody>("POST", "/keys/challenge", { network: "mainnet", address })
        assert.deepStrictEqual([off.status, off.body.error.code], [503, "network_unavailable"])
      }))

    it.effect("ends a session after half an hour", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const somebody = Keypair.random()
        const mine = bearer((yield* openedBy(service, somebody.publicKey(), somebody)).token)
        const list = service.call<ErrorBody>("GET", "/keys/mine", undefined, mine)
        yield* TestClock.adjust("1799 seconds")
        assert.strictEqual((yield* list).status, 200)
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual([(yield* list).status, (yield* list).body.error.code], [401, "unauthorized"])
      }))
  })

  bare.scoped.runIf(isThorough)(
    "gives one client address fifty looks at challenges and twenty keys a day, however many accounts it invents",
    () =>
      Effect.gen(function*() {
        const service = yield* startTestService({ TRUSTED_PROXY_HOPS: "1" }, unwatched)
        const from = (address: string): TestService => ({
          ...service,
          call: (method, path, body, headers) => service.call(method, path, body, { ...headers, "x-forwarded-for": address })
        })
        const [one, other] = [from("192.0.2.1"), from("192.0.2.2")]
        const inventing = (asked: TestService) =>
          Effect.gen(function*() {
            const somebody = Keypair.random()
            const mine = bearer((yield* openedBy(asked, somebody.publicKey(), somebody)).token)
            const answers = yield* Effect.replicateEffect(asked.call<Issued & ErrorBody>("POST", "/keys/mine", undefined, mine), 5)
            return { mine, answers }
          })
        for (let account = 0; account < 3; account++) yield* inventing(one)
        const { answers: [first, ...rest], mine } = yield* inventing(one)
        assert.deepStrictEqual([first, ...rest].map((answer) => answer?.status), [201, 201, 201, 201, 201])
        const id = first?.body.record.id ?? ""
        const refusals = [
          yield* one.call<ErrorBody>("POST", `/keys/mine/${id}/rotate`, undefined, mine),
          (yield* inventing(one)).answers[0]
        ]
        for (const refused of refusals) {
          assert.deepStrictEqual([refused?.status, refused?.body.error.code], [429, "rate_limited"])
          assert.isAbove(Number(refused?.headers.get("retry-after")), 86_000)
        }
        // Revoking and using a key still work, and another address is not limited.
        assert.strictEqual((yield* one.call<unknown>("GET", "/testnet/paths", undefined, bearer(first?.body.key ?? ""))).status, 400)
        assert.strictEqual((yield* one.call<unknown>("POST", `/keys/mine/${id}/revoke`, undefined, mine)).status, 200)
        assert.strictEqual((yield* inventing(other)).answers[0]?.status, 201)
        // Five sessions were opened from there: failed attempts count as well.
        const somebody = Keypair.random()
        const signed = signedBy(yield* challengeFor(one, somebody.publicKey()), somebody)
        const asked = yield* Effect.replicateEffect(sessionFor(one, signed), 46)
        assert.deepStrictEqual([asked[0]?.status, asked[1]?.status, asked[44]?.status, asked[45]?.status], [200, 401, 401, 429])
        yield* TestClock.adjust("24 hours")
        assert.strictEqual((yield* inventing(one)).answers[0]?.status, 201)
      })
  )
})
