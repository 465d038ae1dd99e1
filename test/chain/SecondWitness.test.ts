import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { ConfigProvider, Context, Effect, Layer, Option, type Scope } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { NetworkSettings } from "../../src/chain/NetworkSettings.ts"
import { type EntryEvidence, withEndpoint } from "../../src/chain/Pin.ts"
import { SecondWitness, type WitnessedTransaction } from "../../src/chain/witness/SecondWitness.ts"
import type { Claim, ContractAnswers, ListEvidence } from "../../src/chain/witness/Statement.ts"
import { AccountAddress, ContractAddress } from "../../src/domain/Address.ts"
import { Hang, Latency } from "../../src/sandbox/faults/Connection.ts"
import { RpcError } from "../../src/sandbox/faults/ServerErrors.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { ahead, type Lie, type RpcEndpoint, rpcEndpoint } from "../close/support/Sources.ts"
import { jumping, secondsOf } from "../support/JumpingClock.ts"

/** Reports no entry at all. */
const hiding: Lie = (method, result) => (method === "getLedgerEntries" ? { ...result, entries: [] } : result)

/** It gives no answer about entries any more. */
const silence = ({ faults }: RpcEndpoint) => faults.set({ fault: new Hang({}), rpc: "getLedgerEntries" })

/** Lists that rest on nothing: only what contracts said is compared. */
const none: ListEvidence = { entries: [], claims: [] }

const owner = AccountAddress.make(Keypair.random().publicKey())

/** A merge over no positions: it may rest on one source. */
const merge: WitnessedTransaction = { account: owner, mayRestOnOne: true }

/** A call of the same account, which may not. */
const call: WitnessedTransaction = { account: owner, mayRestOnOne: false }

/** A network with one account behind this many contract RPCs, and the witness over them; `more`: further addresses of the first one. */
const among = (count: number, more = 0) =>
  Effect.gen(function*() {
    const { network, passphrase } = yield* startSandbox()
    const account = Keypair.random()
    yield* Effect.provideService(fund("50", account), Network, network)
    const endpoints = yield* Effect.replicateEffect(rpcEndpoint(network), count)
    const [first, ...others] = endpoints.map(({ url }) => url)
    const own = first ?? new URL("http://127.0.0.1:1")
    const rpcUrls = [own, ...Array.from({ length: more }, (_, at) => new URL(`/${at}`, own)), ...others] as const
    const services = yield* Layer.build(
      Layer.fresh(
        Layer.merge(LedgerEntries.layer, SecondWitness.layer).pipe(
          Layer.provide(ContractRpc.layer),
          Layer.provide(
            Layer.succeed(NetworkSettings, {
              network: "testnet",
              passphrase,
              rpcUrls: [...rpcUrls],
              ledgerApiUrls: [rpcUrls[0]],
              sandbox: false
            })
          ),
          Layer.provide(NodeHttpClient.layerUndici),
          Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map())))
        )
      )
    )
    const { confirm, exists } = Context.get(services, SecondWitness)
    const entries = Context.get(services, LedgerEntries)
    const key = accountKey(account.publicKey())
    const read = entries.answers([key])
    /** The result of a comparison: a word, or the failure in one. */
    const inWords = (work: ReturnType<typeof confirm>) =>
      Effect.catchTags(Effect.map(work, (outcome): string => outcome), {
        SourcesDisagree: ({ about }) => Effect.succeed(`differs: ${about}`),
        StillDisputed: ({ failure: { about } }) => Effect.succeed(`disputed: ${about}`),
        ContractRpcLagging: ({ _tag, behind }) => Effect.succeed(`${_tag}: ${behind}`),
        WitnessBehind: ({ _tag, behind }) => Effect.succeed(`${_tag}: ${behind}`)
      })
    return {
      network,
      exists,
      confirm,
      /** The endpoints, of which a request keeps to the first. */
      endpoints,
      entries: read,
      /**
       * Reads the account at the first endpoint, and compares with the others. `lists`: what lists rest on, and not the account; null: the
       * account alone. `between` comes after the reading. `planned`: the transaction that rests on it.
       */
      compare: (
        lists: ListEvidence | null = null,
        spoken: ReadonlyArray<ContractAnswers> = [],
        between: Effect.Effect<unknown, unknown> = Effect.void,
        planned: WitnessedTransaction = merge
      ) =>
        Effect.map(
          withEndpoint(
            Effect.zipRight(
              Effect.zipRight(read, Effect.orDie(between)),
              inWords(confirm(planned, () => lists === null, lists ?? none, spoken))
            ),
            { from: 0 }
          ),
          ([told]) => told
        ),
      key,
      pay: Effect.provideService(
        perform("the account pays", {
          as: account,
          operations: [Operation.payment({ destination: network.root.publicKey(), asset: Asset.native(), amount: "1" })]
        }),
        Network,
        network
      ),
      later: (ledgers: number) => Effect.replicateEffect(network.closeLedger(), ledgers, { discard: true }),
      /** How many requests for entries and simulations each endpoint got since the last call. */
      asked: Effect.sync(() =>
        endpoints.map(({ asked }) =>
          asked.splice(0).filter((method) => method === "getLedgerEntries" || method === "simulateTransaction").length
        )
      )
    }
  })

type Among = Effect.Effect.Success<ReturnType<typeof among>>

const test = (name: string, count: number, check: (all: Among) => Effect.Effect<unknown, unknown, Scope.Scope>) =>
  it.scopedLive(name, () => Effect.flatMap(among(count), check).pipe(Effect.provide(jumping)))

describe("a second witness", () => {
  test("is none where one endpoint is configured", 1, ({ compare, exists }) =>
    Effect.gen(function*() {
      assert.isFalse(exists)
      assert.strictEqual(yield* compare(), "alone")
      assert.strictEqual(yield* compare(none), "agreed")
    }))

  test("that agrees is enough, and gets no request for nothing", 3, ({ asked, compare, exists }) =>
    Effect.gen(function*() {
      assert.isTrue(exists)
      assert.strictEqual(yield* compare(), "agreed")
      assert.deepStrictEqual(yield* asked, [1, 1, 0])
      assert.strictEqual(yield* compare(none), "agreed")
      assert.deepStrictEqual(yield* asked, [1, 0, 0])
    }))

  test(
    "that hides an entry is outvoted by a third, and not by a silent one",
    3,
    ({ asked, compare, endpoints: [, second, third] }) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* second!.lying(hiding, compare()), "agreed")
        assert.deepStrictEqual(yield* asked, [1, 1, 1])
        yield* silence(third!)
        assert.strictEqual(yield* second!.lying(hiding, compare()), "differs: contract_entries")
      })
  )

  test(
    "that is silent for three seconds is followed by the next",
    3,
    ({ compare, endpoints: [, second, third] }) =>
      Effect.gen(function*() {
        yield* silence(second!)
        assert.deepStrictEqual(yield* secondsOf(compare()), ["agreed", 3])
        yield* silence(third!)
        assert.deepStrictEqual(yield* secondsOf(compare()), ["silent", 6])
      })
  )

  test("that contradicted and is silent now still stands against the first one, until it agrees", 2, (all) =>
    Effect.gen(function*() {
      const { compare, endpoints: [first, second] } = all
      assert.strictEqual(yield* first!.lying(hiding, compare()), "differs: contract_entries")
      yield* silence(second!)
      assert.strictEqual(yield* first!.lying(hiding, compare()), "disputed: contract_entries")
      assert.strictEqual(yield* compare(), "disputed: contract_entries")
      yield* second!.faults.clear()
      assert.strictEqual(yield* compare(), "agreed")
      yield* silence(second!)
      assert.strictEqual(yield* compare(), "silent")
    }))

  test("that contradicted is overruled by a third one", 3, ({ compare, endpoints: [, second, third] }) =>
    Effect.gen(function*() {
      yield* silence(third!)
      assert.strictEqual(yield* second!.lying(hiding, compare()), "differs: contract_entries")
      yield* third!.faults.clear()
      yield* silence(second!)
      assert.strictEqual(yield* compare(), "agreed")
      yield* silence(third!)
      assert.strictEqual(yield* compare(), "silent")
    }))

  test("says at once that an entry changed since", 3, ({ asked, compare, endpoints: [, second], later, pay }) =>
    Effect.gen(function*() {
      yield* later(1)
      assert.strictEqual(yield* compare(null, [], pay), "ContractRpcLagging: 1")
      assert.deepStrictEqual(yield* asked, [1, 1, 1])
      assert.strictEqual(yield* second!.lying(hiding, compare(null, [], pay)), "ContractRpcLagging: 1")
    }))
})

describe("a second witness that shows a change since", () => {
  test("is enough where it is the only one", 2, ({ asked, compare, endpoints: [, second] }) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* secondsOf(second!.lying(ahead, compare())), ["ContractRpcLagging: 1", 0])
      assert.deepStrictEqual(yield* asked, [1, 1])
    }))

  test("is outvoted by a third one that has that ledger", 3, ({ asked, compare, endpoints: [, second], later }) =>
    Effect.gen(function*() {
      const lied = second!.stuck(second!.lying(ahead, compare(null, [], later(1))))
      assert.deepStrictEqual(yield* secondsOf(lied), ["agreed", 0])
      assert.deepStrictEqual(yield* asked, [1, 1, 1])
    }))

  test(
    "is outvoted by a third one as soon as that has it",
    3,
    ({ asked, compare, endpoints: [, second], later }) =>
      Effect.gen(function*() {
        const closing = Effect.fork(Effect.delay(later(1), "1500 millis"))
        assert.deepStrictEqual(yield* secondsOf(second!.lying(ahead, compare(null, [], closing))), ["agreed", 2])
        assert.deepStrictEqual(yield* asked, [1, 1, 3])
      })
  )

  test("ends the comparison where no other one has that ledger in time, and comes last from then on", 3, (all) =>
    Effect.gen(function*() {
      const { asked, compare, endpoints: [, second] } = all
      assert.deepStrictEqual(yield* secondsOf(second!.lying(ahead, compare())), ["ContractRpcLagging: 1", 6])
      assert.deepStrictEqual(yield* asked, [1, 1, 7])
      assert.deepStrictEqual(yield* secondsOf(second!.lying(ahead, compare())), ["agreed", 0])
      assert.deepStrictEqual(yield* asked, [1, 0, 1])
    }))

  test(
    "and is right is not outvoted by one that comes up later",
    3,
    ({ asked, compare, endpoints: [, , third], later, pay }) =>
      Effect.gen(function*() {
        yield* later(1)
        const coming = third!.stuckFor(2, compare(null, [], pay))
        assert.deepStrictEqual(yield* secondsOf(coming), ["ContractRpcLagging: 1", 2])
        assert.deepStrictEqual(yield* asked, [1, 1, 3])
        assert.deepStrictEqual(yield* secondsOf(third!.stuck(compare(null, [], pay))), ["ContractRpcLagging: 1", 6])
      })
  )
})

describe("a contradiction", () => {
  const other = AccountAddress.make(Keypair.random().publicKey())
  const lied = ({ compare, endpoints: [first] }: Among, planned: WitnessedTransaction) =>
    first!.lying(hiding, compare(null, [], Effect.void, planned))
  const told = ({ compare }: Among, planned: WitnessedTransaction) => compare(null, [], Effect.void, planned)

  test("stops only what rests on one source, and only of the account that it was heard for", 2, (all) =>
    Effect.gen(function*() {
      yield* lied(all, merge)
      yield* silence(all.endpoints[1]!)
      assert.strictEqual(yield* told(all, merge), "disputed: contract_entries")
      assert.strictEqual(yield* told(all, call), "silent")
      assert.strictEqual(yield* told(all, { ...merge, account: other }), "silent")
    }))

  test("about a call stops the merge, and only agreement with a merge settles it", 2, (all) =>
    Effect.gen(function*() {
      const second = all.endpoints[1]!
      const silently = <A, E>(work: Effect.Effect<A, E>) => Effect.zipRight(silence(second), Effect.zipLeft(work, second.faults.clear()))
      assert.strictEqual(yield* lied(all, call), "differs: contract_entries")
      assert.strictEqual(yield* told(all, call), "agreed")
      assert.strictEqual(yield* silently(told(all, merge)), "disputed: contract_entries")
      assert.strictEqual(yield* told(all, merge), "agreed")
      assert.strictEqual(yield* silently(told(all, merge)), "silent")
    }))

  test("is remembered though the request ends before its outcome", 3, (all) =>
    Effect.gen(function*() {
      const [first, , third] = all.endpoints
      const behind = third!.stuck(Effect.zipRight(all.later(1), lied(all, merge)))
      assert.isTrue(Option.isNone(yield* Effect.timeoutOption(behind, "2 seconds")))
      assert.isNotEmpty(first!.asked)
      for (const one of all.endpoints.slice(1)) yield* silence(one)
      assert.strictEqual(yield* told(all, merge), "disputed: contract_entries")
    }))
})

describe("a second witness that is behind", () => {
  test("is queried again each second, six times", 2, ({ asked, compare, endpoints: [, second], later }) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* secondsOf(second!.stuckFor(6, Effect.zipRight(later(1), compare()))), ["agreed", 6])
      assert.deepStrictEqual(yield* asked, [1, 7])
      assert.deepStrictEqual(yield* secondsOf(second!.stuckFor(7, Effect.zipRight(later(1), compare()))), ["WitnessBehind: 1", 6])
      assert.deepStrictEqual(yield* asked, [1, 7])
    }))

  /** Its first answer about entries is of the ledger before, the next ones never come, and those after them are true. */
  const losing = (lost: number) => {
    const asked = { count: 0 }
    const lie: Lie = (method, result) => {
      if (method !== "getLedgerEntries") return result
      asked.count += 1
      if (asked.count === 1) return { ...result, latestLedger: Number(result["latestLedger"]) - 1 }
      return asked.count <= 1 + lost ? new Promise<never>(() => {}) : result
    }
    return { asked, lie }
  }

  test(
    "is queried again after an answer of it was lost, until six seconds have passed",
    2,
    ({ compare, endpoints: [, second] }) =>
      Effect.gen(function*() {
        for (const [lost, outcome, seconds] of [[1, "agreed", 5], [9, "WitnessBehind: 1", 8]] as const) {
          const { asked, lie } = losing(lost)
          assert.deepStrictEqual(yield* secondsOf(second!.lying(lie, compare())), [outcome, seconds])
          assert.strictEqual(asked.count, 3)
        }
      })
  )

  test(
    "has its six seconds also after others were silent",
    4,
    ({ compare, endpoints: [, second, third, fourth], later }) =>
      Effect.gen(function*() {
        for (const silent of [second!, third!]) yield* silence(silent)
        assert.deepStrictEqual(yield* secondsOf(fourth!.stuckFor(6, Effect.zipRight(later(1), compare()))), ["agreed", 12])
      })
  )

  test("by twenty ledgers is waited for, and by more it is not", 2, ({ compare, endpoints: [, second], later }) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* secondsOf(second!.stuck(Effect.zipRight(later(20), compare()))), ["WitnessBehind: 20", 6])
      assert.deepStrictEqual(yield* secondsOf(second!.stuck(Effect.zipRight(later(21), compare()))), ["WitnessBehind: 21", 0])
    }))

  test(
    "is followed by the next, and comes after it from then on",
    3,
    ({ asked, compare, endpoints: [, second], later }) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* second!.stuck(Effect.zipRight(later(1), compare())), "agreed")
        assert.deepStrictEqual(yield* asked, [1, 1, 1])
        assert.strictEqual(yield* compare(), "agreed")
        assert.deepStrictEqual(yield* asked, [1, 0, 1])
      })
  )

  test("comes first again once it agreed", 3, ({ asked, compare, endpoints: [, second, third], later }) =>
    Effect.gen(function*() {
      yield* second!.stuck(Effect.zipRight(later(1), compare()))
      yield* silence(third!)
      assert.strictEqual(yield* compare(), "agreed")
      yield* third!.faults.clear()
      yield* asked
      assert.strictEqual(yield* compare(), "agreed")
      assert.deepStrictEqual(yield* asked, [1, 1, 0])
    }))

  test("stands for all: the nearest of them is named", 3, ({ compare, endpoints: [, second, third], later }) =>
    Effect.gen(function*() {
      const outcome = yield* second!.stuck(Effect.zipRight(later(2), third!.stuck(Effect.zipRight(later(1), compare()))))
      assert.strictEqual(outcome, "WitnessBehind: 1")
    }))

  test("gets its time where another one contradicts", 3, ({ compare, endpoints: [, second, third], later }) =>
    Effect.gen(function*() {
      const reading = Effect.zipRight(later(1), second!.lying(hiding, compare()))
      assert.deepStrictEqual(yield* secondsOf(third!.stuckFor(3, reading)), ["agreed", 3])
      assert.strictEqual(yield* third!.stuck(reading), "differs: contract_entries")
    }))

  const stopped = (work: Effect.Effect<string, unknown>, { endpoints: [, second], network }: Among) => {
    const minutes = Effect.replicateEffect(Effect.sleep("20 seconds"), 4, { discard: true })
    return second!.stuck(Effect.zipRight(Effect.zipRight(minutes, network.closeLedger()), work))
  }

  test("and stopped long ago by our clock is silent", 2, (all) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* stopped(all.compare(), all), "silent")
    }))

  test("and stopped long ago is not silent where it has what the first one hides", 2, (all) =>
    Effect.gen(function*() {
      assert.match(yield* all.endpoints[0]!.lying(hiding, stopped(all.compare(), all)), /^WitnessBehind/)
    }))

  test(
    "and has what the first one hides is not silent where it answers no more",
    2,
    ({ compare, endpoints: [first, second] }) =>
      Effect.gen(function*() {
        let answers = 0
        const failing: Lie = (method, result) => {
          if (method !== "getLedgerEntries") return result
          return answers++ === 0 ? { ...result, latestLedger: Number(result["latestLedger"]) - 1 } : null
        }
        assert.strictEqual(yield* first!.lying(hiding, second!.lying(failing, compare())), "WitnessBehind: 1")
        assert.isAbove(answers, 1)
      })
  )

  test(
    "and contradicts once it has come up is not taken for behind",
    2,
    ({ compare, endpoints: [first, second] }) =>
      Effect.gen(function*() {
        let answers = 0
        const late: Lie = (method, result) =>
          method === "getLedgerEntries" && answers++ === 0 ? { ...result, latestLedger: Number(result["latestLedger"]) - 1 } : result
        assert.strictEqual(yield* first!.lying(hiding, second!.lying(late, compare())), "differs: contract_entries")
        assert.strictEqual(answers, 2)
      })
  )

  test("and does not say since when is silent", 2, ({ compare, endpoints: [, second], later }) =>
    Effect.gen(function*() {
      const reading = second!.stuck(Effect.zipRight(later(21), compare()))
      assert.strictEqual(yield* reading, "WitnessBehind: 21")
      yield* second!.faults.set({ fault: new Hang({}), rpc: "getLatestLedger" })
      assert.deepStrictEqual(yield* secondsOf(reading), ["silent", 3])
      yield* second!.faults.clear()
      yield* second!.faults.set({ fault: new RpcError({ code: -32_603, message: "no ledger" }), rpc: "getLatestLedger" })
      assert.strictEqual(yield* reading, "silent")
    }))
})

describe("what lists of contracts rest on", () => {
  const listing = ({ endpoints, entries }: Among, by: EntryEvidence["by"]) =>
    Effect.map(withEndpoint(entries, { from: endpoints.length > 1 ? by : 0 }), ([answers]): ListEvidence => ({
      entries: answers.map((one) => ({ ...one, by, inside: [] })),
      claims: []
    }))

  test("is compared with the other endpoint where the first one showed it", 2, (all) =>
    Effect.gen(function*() {
      const list = yield* listing(all, 0)
      yield* all.asked
      assert.strictEqual(yield* all.compare(list), "agreed")
      assert.deepStrictEqual(yield* all.asked, [1, 1])
      assert.strictEqual(yield* all.endpoints[1]!.lying(hiding, all.compare(list)), "differs: contract_entries")
    }))

  it.scopedLive("is compared with no other address of the endpoint that showed it", () =>
    Effect.gen(function*() {
      const all = yield* among(2, 1)
      const list = yield* listing(all, 0)
      yield* all.asked
      assert.strictEqual(yield* all.compare(list), "agreed")
      assert.deepStrictEqual(yield* all.asked, [1, 1])
    }).pipe(Effect.provide(jumping)))

  test("is compared with both where another one may have shown it", 2, (all) =>
    Effect.gen(function*() {
      for (const by of [1, null]) {
        const list = yield* listing(all, by)
        yield* all.asked
        assert.strictEqual(yield* all.compare(list), "agreed")
        assert.deepStrictEqual(yield* all.asked, [2, 1])
        assert.strictEqual(yield* all.compare(list, [], silence(all.endpoints[0]!)), "silent")
        yield* all.endpoints[0]!.faults.clear()
        assert.strictEqual(yield* all.endpoints[0]!.lying(hiding, all.compare(list)), "differs: contract_entries")
      }
    }))

  test("is compared on its own ledger, and so are entries beside it", 2, (all) =>
    Effect.gen(function*() {
      const list = yield* listing(all, 0)
      const [first, second] = all.endpoints
      assert.strictEqual(yield* second!.stuck(Effect.zipRight(all.later(1), all.compare(list))), "agreed")
      yield* all.asked
      const both = all.confirm(merge, () => true, list)
      const reading = withEndpoint(Effect.zipRight(all.entries, both), { from: 0 })
      assert.strictEqual((yield* reading)[0], "agreed")
      assert.deepStrictEqual(yield* all.asked, [1, 1])
      assert.strictEqual((yield* Effect.flip(first!.lying(hiding, reading)))._tag, "SourcesDisagree")
    }))

  const claim = ({ key }: Among, text: string, holds: Claim["holds"] = () => true): Claim => ({ text, keys: [key], holds })
  const claims = (...all: ReadonlyArray<Claim>): ListEvidence => ({ entries: [], claims: all })

  test("and was learned is compared with both, once", 2, (all) =>
    Effect.gen(function*() {
      yield* all.asked
      for (const requests of [[2, 1], [1, 0]]) {
        assert.strictEqual(yield* all.compare(claims(claim(all, "learned"))), "agreed")
        assert.deepStrictEqual(yield* all.asked, requests)
      }
      assert.strictEqual(yield* all.compare(claims(claim(all, "learned"), claim(all, "more", () => false))), "differs: contract_entries")
    }))

  test("and may change is compared with both every time", 2, (all) =>
    Effect.gen(function*() {
      const changing = (holds?: Claim["holds"]) => claims({ ...claim(all, "learned", holds), mayChange: true })
      yield* all.asked
      for (const requests of [[2, 1], [2, 1]]) {
        assert.strictEqual(yield* all.compare(changing()), "agreed")
        assert.deepStrictEqual(yield* all.asked, requests)
      }
      assert.strictEqual(yield* all.compare(changing(() => false)), "differs: contract_entries")
    }))

  test("and was learned is not confirmed by a silent one", 2, (all) =>
    Effect.gen(function*() {
      for (const place of all.endpoints) {
        assert.strictEqual(yield* all.compare(claims(claim(all, "learned")), [], silence(place)), "silent")
        yield* place.faults.clear()
      }
      yield* all.asked
      assert.strictEqual(yield* all.compare(claims(claim(all, "learned"))), "agreed")
      assert.deepStrictEqual(yield* all.asked, [2, 1])
    }))

  test("and was learned is remembered 20,000 times", 2, (all) =>
    Effect.gen(function*() {
      const one = claims(claim(all, "learned"))
      const many = (count: number) => claims(...Array.from({ length: count }, (_, at) => claim(all, `${at}`)))
      yield* all.compare(one)
      yield* all.compare(many(19_999))
      yield* all.asked
      yield* all.compare(one)
      assert.deepStrictEqual(yield* all.asked, [1, 0])
      yield* all.compare(many(20_000))
      yield* all.asked
      yield* all.compare(one)
      assert.deepStrictEqual(yield* all.asked, [2, 1])
    }))
})

describe("what contracts said", () => {
  const said = ({ network }: Among, name: string, differs: ContractAnswers["differs"]): ContractAnswers => ({
    getters: [{ contract: ContractAddress.make(Asset.native().contractId(network.passphrase)), function: name, args: [] }],
    differs
  })

  test("is judged by the other's answers, each by its own", 2, (all) =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const noting = (isOther: boolean): ContractAnswers["differs"] => (answers) => {
        seen.push(answers.map((one) => (one._tag === "Returned" ? one.value.type : one._tag)).join())
        return isOther
      }
      assert.strictEqual(yield* all.compare(none, [said(all, "decimals", noting(false)), said(all, "symbol", noting(false))]), "agreed")
      assert.deepStrictEqual(seen, ["scvU32", "scvString"])
      assert.deepStrictEqual(yield* all.asked, [1, 2])
      assert.strictEqual(
        yield* all.compare(none, [said(all, "decimals", noting(false)), said(all, "none", noting(true))]),
        "differs: contract_answers"
      )
      assert.strictEqual(seen.at(-1), "Failed")
    }))

  test("and was contradicted stands against another question, where no one else answers", 2, (all) =>
    Effect.gen(function*() {
      const second = all.endpoints[1]!
      const answers = (isOther: boolean) => said(all, "decimals", () => isOther)
      const other = [said(all, "symbol", () => false)]
      assert.strictEqual(yield* all.compare(none, [...other, answers(true)]), "differs: contract_answers")
      yield* second.faults.set({ fault: new Hang({}), rpc: "*" })
      for (const lists of [none, null]) assert.strictEqual(yield* all.compare(lists, other), "disputed: contract_answers")
      assert.strictEqual(yield* all.compare(none), "disputed: contract_answers")
      yield* second.faults.clear()
      assert.strictEqual(yield* all.compare(none, other), "agreed")
      assert.strictEqual(yield* all.compare(none), "agreed")
    }))

  test("is of the oldest ledger that the other one answers by", 2, (all) =>
    Effect.gen(function*() {
      const older: Lie = (method, result) =>
        method === "simulateTransaction" ? { ...result, latestLedger: Number(result["latestLedger"]) - 1 } : result
      const lists: ListEvidence = { entries: [], claims: [{ text: "learned", keys: [all.key], holds: () => true }] }
      const outcome = yield* all.endpoints[1]!.lying(older, all.compare(lists, [said(all, "decimals", () => false)]))
      assert.strictEqual(outcome, "WitnessBehind: 1")
    }))

  test("outside of a request may be of any ledger", 2, (all) =>
    Effect.gen(function*() {
      const speaking = all.confirm(merge, () => true, none, [said(all, "decimals", () => false)])
      assert.strictEqual(yield* all.endpoints[1]!.stuck(Effect.zipRight(all.later(1), speaking)), "agreed")
    }))

  test("takes as long as each answer comes in three seconds, and all of them in nine", 2, (all) =>
    Effect.gen(function*() {
      const [getter] = said(all, "decimals", () => false).getters
      const asking = (count: number) => all.compare(none, [{ getters: Array(count).fill(getter), differs: () => false }])
      const slow = (millis: number) => all.endpoints[1]!.faults.set({ fault: new Latency({ millis }), rpc: "simulateTransaction" })
      yield* slow(1_000)
      // Four at a time.
      assert.deepStrictEqual(yield* secondsOf(asking(32)), ["agreed", 8])
      assert.deepStrictEqual(yield* secondsOf(asking(40)), ["silent", 9])
      yield* all.endpoints[1]!.faults.clear()
      yield* slow(3_500)
      assert.deepStrictEqual(yield* secondsOf(asking(1)), ["silent", 3])
    }))

  test("is not judged by a silent one, nor by one that is behind", 2, (all) =>
    Effect.gen(function*() {
      const second = all.endpoints[1]!
      const asking = all.compare(none, [said(all, "decimals", () => false)])
      assert.strictEqual(yield* second.stuck(Effect.zipRight(all.later(1), asking)), "WitnessBehind: 1")
      yield* second.faults.set({ fault: new Hang({}), rpc: "simulateTransaction" })
      assert.deepStrictEqual(yield* secondsOf(asking), ["silent", 3])
    }))
})
