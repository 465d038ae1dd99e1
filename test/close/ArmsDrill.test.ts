import { assert } from "@effect/vitest"
import type { Keypair } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { type RewritablePlace, UnknownArms } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { DemoAccount } from "../../src/sandbox/scenarios/DemoAccount.ts"
import { everyProtocol } from "../../src/serving/EmbeddedSandbox.ts"
import { laterLedger } from "../sandbox/contracts/ProtocolsServed.ts"
import { contractOfByte } from "../support/Addresses.ts"
import { layer } from "../support/Layered.ts"
import { firstOf, isThorough } from "../support/Thorough.ts"
import { answersTo } from "./support/Answering.ts"
import { type Answer, type NextBody, offered, plan, type PlanBody, submit } from "./support/Client.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"
import { Sources, sourcesService } from "./support/Sources.ts"

interface Row {
  readonly protocol: string
}

/** The fields of an account read that these tests compare. */
interface AccountBody {
  readonly trustlines: ReadonlyArray<{ readonly asset: string }>
  readonly openOffers: ReadonlyArray<{ readonly id: string }>
  readonly dataEntries: ReadonlyArray<{ readonly key: string }>
  readonly poolShares: ReadonlyArray<{ readonly poolId: string }>
  readonly claimableBalances: ReadonlyArray<{ readonly id: string }>
  readonly defiPositions: { readonly positions: ReadonlyArray<Row>; readonly unrecognizedPositions: ReadonlyArray<Row> }
  readonly defiPositionsWarnings: ReadonlyArray<{ readonly code: string; readonly subject?: string }>
  readonly contractTokens?: {
    readonly tokens: ReadonlyArray<{ readonly contract: string }>
    readonly unreadable: ReadonlyArray<string>
  }
  readonly warnings: ReadonlyArray<{ readonly code: string }>
}

interface Closing {
  readonly source: Keypair
  readonly request: { readonly source: string; readonly destination: string }
  readonly decisions: ReadonlyArray<Answer>
  readonly before: AccountBody
}

const read = ({ source }: { readonly source: Keypair }) =>
  Effect.flatMap(Service, ({ call }) => call<AccountBody>("GET", `/testnet/account/${source.publicKey()}`))

const readWhole = (of: { readonly source: Keypair }) =>
  Effect.map(read(of), ({ body, status }) => (status === 200 ? body : assert.fail(JSON.stringify(body))))

const closing = (pair: { readonly source: Keypair; readonly destination: Keypair }) =>
  Effect.gen(function*() {
    const request = { source: pair.source.publicKey(), destination: pair.destination.publicKey() }
    const decisions = answersTo(yield* plan(request))
    return { source: pair.source, request, decisions, before: yield* readWhole(pair) }
  })

/** Runs work while both APIs, or one of them, return such arms. */
const under = <A, E, R>(fault: UnknownArms, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const { sandbox } = yield* Service
    const sources = [sandbox.faults, ...(yield* Sources).map(({ faults }) => faults)]
    return yield* Effect.acquireUseRelease(
      Effect.forEach(sources, (faults) => Effect.map(faults.set({ fault }), (id) => ({ faults, id }))),
      () => Effect.zipRight(laterLedger, work),
      (all) => Effect.forEach(all, ({ faults, id }) => faults.clear(id), { discard: true })
    )
  })

const protocolsIn = ({ defiPositions: { positions, unrecognizedPositions }, defiPositionsWarnings }: AccountBody) =>
  new Set(
    [...positions, ...unrecognizedPositions].map(({ protocol }) => protocol).concat(
      defiPositionsWarnings.flatMap(({ code, subject }) => (code === "source_failed" && subject !== undefined ? [subject] : []))
    )
  )

const tokensIn = ({ contractTokens }: AccountBody): ReadonlyArray<string> => [
  ...contractTokens?.tokens.map(({ contract }) => contract) ?? [],
  ...contractTokens?.unreadable ?? []
]

/** Checks that everything shown before is still shown or reported as unreadable. */
const showsAsMuch = (before: AccountBody, now: AccountBody, place: string): void => {
  assert.sameMembers(now.trustlines.map(({ asset }) => asset), before.trustlines.map(({ asset }) => asset), place)
  assert.sameMembers(now.openOffers.map(({ id }) => id), before.openOffers.map(({ id }) => id), place)
  assert.sameMembers(now.dataEntries.map(({ key }) => key), before.dataEntries.map(({ key }) => key), place)
  assert.sameMembers(now.poolShares.map(({ poolId }) => poolId), before.poolShares.map(({ poolId }) => poolId), place)
  assert.sameMembers(now.claimableBalances.map(({ id }) => id), before.claimableBalances.map(({ id }) => id), place)
  assert.includeMembers([...protocolsIn(now)], [...protocolsIn(before)], place)
  assert.includeMembers([...tokensIn(now)], [...tokensIn(before)], place)
}

/** Reports on unknown arms in one place: from the account read (count of warnings) and from the plan. */
interface Told {
  /** Warnings of the account read. */
  readonly warned?: string
  /** Reasons of blockers. */
  readonly blocked?: ReadonlyArray<string>
  /** The projection's texts. */
  readonly unverified?: RegExp
}

const nothing: Told = {}

/** Of an account with offers, data and assets that have a market. */
const ofClassic: Partial<Record<RewritablePlace, Told>> = {
  accounts: { unverified: /Only the best offers of the book/ },
  offers: { warned: "balance_unconfirmed", blocked: ["subentry_mismatch"], unverified: /Only the best offers of the book/ },
  data: { warned: "balance_unconfirmed", blocked: ["subentry_mismatch"] },
  configSettings: nothing,
  headers: nothing
}

/** Of an account with positions in every protocol, a contract token, a share of a pool and a claimable balance. */
const ofRich: Partial<Record<RewritablePlace, Told>> = {
  contractData: { blocked: ["position_unrecognized"] },
  trustlines: { warned: "balance_unconfirmed", blocked: ["subentry_mismatch"] },
  claimableBalances: { warned: "balance_unconfirmed" },
  liquidityPools: { blocked: ["pool_unreadable"] },
  simulatedResults: { blocked: ["rewards_unread"] },
  simulatedChanges: { blocked: ["position_locked"] },
  accounts: { unverified: /newer ledger protocol's format.*of other accounts/ },
  contractCode: nothing,
  entryExtensions: { warned: "balance_unconfirmed", blocked: ["position_unrecognized", "subentry_mismatch"] },
  events: nothing,
  simulatedAgreements: { blocked: ["position_locked"] },
  simulatedResources: { blocked: ["position_locked"] }
}

const build = ({ decisions, request }: Closing) =>
  Effect.flatMap(Service, ({ call }) => call<NextBody>("POST", "/v1/testnet/close/transactions", { ...request, decisions }))

const reasonsIn = ({ blockers }: PlanBody): ReadonlyArray<string> => blockers.flatMap(({ reason }) => reason ?? [])

/** Checks that account read, plan and build answer, and report the entries that they could not read. */
const holds = (of: Closing, place: string, { blocked = [], unverified, warned }: Told) =>
  Effect.gen(function*() {
    const now = yield* readWhole(of)
    showsAsMuch(of.before, now, place)
    if (warned !== undefined) assert.include(now.warnings.map(({ code }) => code), warned, place)
    const planned = yield* plan({ ...of.request, decisions: of.decisions })
    assert.includeMembers([...reasonsIn(planned)], [...blocked], place)
    if (unverified !== undefined) assert.isTrue(planned.projection.unverified.some((one) => unverified.test(one)), place)
    const built = yield* build(of)
    const most = blocked.length > 0 ? 422 : 200
    assert.isTrue(built.status === most || (built.status < 500 && unverified !== undefined), `${place} ${JSON.stringify(built.body)}`)
  })

const everything = sourcesService(1, {}, "everything")
const options = { excludeTestServices: true, timeout: 240_000 }

/** The prepared account with positions in every protocol. */
const richest = Effect.map(Service, ({ prepared }) => prepared.at(-1) ?? assert.fail("no account with positions is prepared"))

const inEach = (of: Closing, places: Partial<Record<RewritablePlace, Told>>) =>
  Effect.forEach(
    firstOf(3, Object.entries(places) as ReadonlyArray<[RewritablePlace, Told]>),
    ([place, told]) => under(new UnknownArms({ in: [place], except: [of.request.source, of.request.destination] }), holds(of, place, told)),
    { discard: true }
  )

layer(Layer.fresh(everything), options)("unknown arms", (it) => {
  it.effect("in what accounts hold and in headers cost their own item, never an answer", () =>
    Effect.gen(function*() {
      const { call, on } = yield* Service
      const classic = yield* closing(yield* on(DemoAccount))
      yield* inEach(classic, ofClassic)
      // Entries that must be readable fail the request: the account itself and the destination of its lumens.
      const { destination, source } = classic.request
      const [token, spender] = [contractOfByte(1), contractOfByte(2)]
      for (
        const [name, asked, spared] of [
          ["account", read(classic), destination],
          ["revoke", call("POST", "/testnet/allowances/revoke", { owner: source, token, spender }), destination],
          ["destination", call("POST", "/v1/testnet/close/plan", classic.request), source]
        ] as const
      ) {
        const { body, status } = yield* under(new UnknownArms({ in: ["accounts"], except: [spared] }), asked)
        assert.strictEqual(status, 502, `${name} ${JSON.stringify(body)}`)
      }
      // None of it stays cached.
      assert.strictEqual((yield* plan({ ...classic.request, decisions: classic.decisions })).status, "ready")
    }), 240_000)

  it.effect.runIf(isThorough)("in what contracts hold, tell and do cost their own item, never an answer", () =>
    Effect.gen(function*() {
      yield* laterLedger
      yield* inEach(yield* closing(yield* richest), ofRich)
    }), 240_000)

  it.effect.runIf(isThorough)(
    "in envelopes and results leave how a transaction ended, and cost the account's history what they name",
    () =>
      Effect.gen(function*() {
        const { call } = yield* Service
        yield* laterLedger
        const of = yield* closing(yield* richest)
        yield* under(
          new UnknownArms({ in: ["envelopes", "results"] }),
          Effect.gen(function*() {
            const sent = yield* submit(yield* signed(yield* offered({ ...of.request, decisions: of.decisions }), of.source))
            assert.strictEqual(sent.status, "success")
            const { body } = yield* call<{ readonly status: string }>("GET", `/v1/testnet/transactions/${sent.hash}`)
            assert.strictEqual(body.status, "success")
            yield* laterLedger
            assert.include((yield* readWhole(of)).warnings.map(({ code }) => code), "history_not_scanned")
            assert.include((yield* plan(of.request)).warnings.map(({ code }) => code), "history_not_scanned")
          })
        )
      }),
    240_000
  )
})

layer(Layer.fresh(everything), options)("unknown arms, from the first answer on", (it) => {
  it.effect("everywhere at once cost no answer, and nothing is taken for empty", () =>
    Effect.gen(function*() {
      const { prepared } = yield* Service
      const { destination, source } = prepared.at(-1) ?? assert.fail("no account with positions is prepared")
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const fault = new UnknownArms({ except: [request.source, request.destination] })
      yield* under(
        fault,
        Effect.gen(function*() {
          const now = yield* readWhole({ source })
          assert.isAbove(now.trustlines.length, 0)
          assert.sameMembers([...protocolsIn(now)], [...everyProtocol])
          assert.isAbove(tokensIn(now).length, 0)
          const planned = yield* plan(request)
          assert.strictEqual(planned.status, "blocked")
          assert.includeMembers([...reasonsIn(planned)], ["subentry_mismatch", "pool_unreadable"])
          const built = yield* build({ source, request, decisions: [], before: now })
          assert.strictEqual(built.status, 422)
        })
      )
    }), 240_000)
})
