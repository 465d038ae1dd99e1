import { HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Asset, Claimant, Keypair, LiquidityPoolAsset, Operation, StrKey, xdr } from "@stellar/stellar-sdk"
import { Effect, Fiber, Schema, TestClock } from "effect"
import { createHash } from "node:crypto"
import type { AccountSnapshot } from "../../src/account/AccountSnapshot.ts"
import { AccountState } from "../../src/domain/Account.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { ContractAddresses, noContracts } from "../../src/registry/ContractAddresses.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { DemoAccount } from "../../src/sandbox/scenarios/DemoAccount.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { keyOfEntryData, keyText } from "../../src/xdr/LedgerKeys.ts"
import { anyContract } from "../support/Addresses.ts"
import { isHeldBy } from "./support/Truth.ts"
import { addressOf, isRpc, methodOf, read, soon, timed, world } from "./support/World.ts"

/** Entries as comparable texts, without order. */
const texts = (entries: Iterable<xdr.LedgerEntry>) => Array.from(entries, (entry) => entry.toXdr("base64")).toSorted()

/** An account's entries on the ledger itself, read without any API. */
const held = (owner: Keypair, also: (entry: xdr.LedgerEntry) => boolean = () => false) =>
  Effect.gen(function*() {
    const { snapshot } = yield* Network
    const me = owner.xdrAccountId().toXdr("base64")
    return Array.from((yield* snapshot).state.entries()).filter((entry) => isHeldBy(me, entry) || also(entry))
  })

const codes = (snapshot: AccountSnapshot) => snapshot.warnings.map(({ code }) => code)

describe("an account with a bit of everything", () => {
  it.effect("is read whole", () =>
    Effect.gen(function*() {
      const demo = yield* DemoAccount
      const snapshot = yield* read(demo.source)
      const { state } = snapshot
      const issuer = demo.issuer.publicKey()
      assert.deepStrictEqual(
        state.trustlines.map((line) => [line.asset, line.balance, line.authorized, "limit" in line]).toSorted(),
        [
          [`EURO:${issuer}`, stroops(802_500_000n), true, false],
          [`USD:${issuer}`, stroops(2_505_000_000n), true, false],
          [`VOUCHER:${issuer}`, stroops(120_000_000n), true, false]
        ]
      )
      assert.deepStrictEqual(
        state.openOffers.map(({ amount, buying, price, selling }) => [selling, buying, amount, price]),
        [
          [`USD:${issuer}`, "native", stroops(200_000_000n), "3.0000000"],
          ["native", `USD:${issuer}`, stroops(100_000_000n), "0.6000000"],
          ["native", `EURO:${issuer}`, stroops(225_000_000n), "0.6666667"]
        ]
      )
      assert.deepStrictEqual(
        state.dataEntries.map(({ key, value }) => [key, Buffer.from(value, "base64").toString()]).toSorted(),
        [["contact", "entry 2"], ["note.1", "entry 4"], ["note.2", "entry 5"], ["profile", "entry 1"], ["settings", "entry 3"]]
      )
      assert.deepStrictEqual(state.signers[0], { key: demo.source.publicKey(), weight: 3, type: "ed25519_public_key" })
      assert.deepStrictEqual(
        state.signers.slice(1).map(({ key, type, weight }) => [type, weight, key]).toSorted(),
        [
          ["ed25519_public_key", 1, demo.cosigner.publicKey()],
          ["hash_x", 1, StrKey.encodeSha256Hash(createHash("sha256").update(demo.preimage).digest())]
        ]
      )
      assert.deepStrictEqual(state.thresholds, { low: 1, med: 2, high: 3 })
      assert.strictEqual(state.numSubEntries, 13)
      assert.isFalse(state.subEntryMismatch)
      assert.strictEqual(state.numSponsoring, 0)
      assert.isFalse(state.sponsorshipEnumerationIncomplete)
      assert.isNull(state.sponsoredBy)
      assert.isFalse(state.authImmutable)
      assert.deepStrictEqual([state.contractTokens?.tokens, state.contractTokens?.unreadable], [[], []])
      assert.deepStrictEqual(snapshot.warnings, [])
    }).pipe(Effect.provide(world())))

  it.effect("comes with exactly the entries the ledger holds, and its header", () =>
    Effect.gen(function*() {
      const demo = yield* DemoAccount
      const snapshot = yield* read(demo.source)
      assert.deepStrictEqual(texts(snapshot.entries), texts(yield* held(demo.source)))
      const { state } = yield* (yield* Network).snapshot
      assert.deepStrictEqual({ ...snapshot.header }, { ...state.header })
      assert.strictEqual(snapshot.readAt, new Date(Number(state.header.closeTime) * 1000).toISOString())
      assert.strictEqual(snapshot.ledgerApiLedger, state.header.ledgerSeq)
      assert.strictEqual(snapshot.state.sequence, snapshot.accountEntry.seqNum.toString())
      assert.strictEqual(snapshot.state.nativeBalanceLumens, stroops(snapshot.accountEntry.balance))
    }).pipe(Effect.provide(world())))

  it.effect("fits the schema of the wire, there and back", () =>
    Effect.gen(function*() {
      const { state } = yield* read((yield* DemoAccount).source)
      const wire = JSON.parse(JSON.stringify(yield* Schema.encode(AccountState)(state)))
      assert.strictEqual(wire.trustlines.length, 3)
      assert.deepStrictEqual(yield* Schema.decodeUnknown(AccountState)(wire), state)
    }).pipe(Effect.provide(world())))
})

describe("an account that is not there", () => {
  it.effect("is not found", () =>
    Effect.gen(function*() {
      const nobody = Keypair.random()
      const failure = yield* Effect.flip(read(nobody))
      assert.deepStrictEqual([failure._tag, failure._tag === "AccountNotFound" ? failure.address : ""], [
        "AccountNotFound",
        nobody.publicKey()
      ])
    }).pipe(Effect.provide(world())))

  it.effect("is not found even while the ledger API hangs", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* Effect.flip(soon(read(Keypair.random()))))._tag, "AccountNotFound")
    }).pipe(Effect.provide(world({ between: (request, send) => (isRpc(request) ? send : Effect.never) }))))

  it.effect("is not found once it was merged away", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* FundedPair
      yield* perform("merge", { as: source, operations: [Operation.accountMerge({ destination: destination.publicKey() })] })
      assert.strictEqual((yield* Effect.flip(read(source)))._tag, "AccountNotFound")
    }).pipe(Effect.provide(world())))
})

describe("kinds of things held", () => {
  it.effect("pool shares come with their line and the pool", () =>
    Effect.gen(function*() {
      const demo = yield* DemoAccount
      const snapshot = yield* read(demo.maker)
      assert.deepStrictEqual(snapshot.state.poolShares.map(({ poolId }) => String(poolId)), [demo.poolId])
      assert.strictEqual(snapshot.state.trustlines.length, 2)
      assert.isFalse(snapshot.state.subEntryMismatch)
      assert.deepStrictEqual(texts(snapshot.entries), texts(yield* held(demo.maker, ({ data }) => data.type === "liquidityPool")))
    }).pipe(Effect.provide(world())))

  it.effect("an empty pool share line counts as two sub-entries", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* FundedPair
      const asset = new Asset("USD", destination.publicKey())
      yield* perform("lines", {
        as: source,
        operations: [
          Operation.changeTrust({ asset }),
          Operation.changeTrust({ asset: new LiquidityPoolAsset(Asset.native(), asset, 30) })
        ]
      })
      const { state } = yield* read(source)
      assert.strictEqual(state.numSubEntries, 3)
      assert.strictEqual(state.poolShares.length, 1)
      assert.isFalse(state.subEntryMismatch)
    }).pipe(Effect.provide(world())))

  it.effect("claimable balances come with every claimant's predicate and their sponsor", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* FundedPair
      const [me, other] = [source.publicKey(), destination.publicKey()]
      yield* perform("balances", {
        as: destination,
        operations: [
          Operation.createClaimableBalance({
            asset: Asset.native(),
            amount: "1.5",
            claimants: [
              new Claimant(me, Claimant.predicateNot(Claimant.predicateBeforeAbsoluteTime("4000000000"))),
              new Claimant(other, Claimant.predicateBeforeRelativeTime("60"))
            ]
          })
        ]
      })
      const { closeTime } = (yield* (yield* Network).snapshot).state.header
      const { state } = yield* read(source)
      const [balance] = state.claimableBalances
      assert.strictEqual(state.claimableBalances.length, 1)
      assert.strictEqual(balance?.amount, stroops(15_000_000n))
      assert.strictEqual(balance?.sponsor, other)
      assert.deepStrictEqual(
        Object.fromEntries(balance?.claimants.map(({ claimable, destination, predicate }) => [destination, [predicate, claimable]]) ?? []),
        {
          [me]: [{ type: "not", predicate: { type: "before_absolute_time", absBeforeEpoch: "4000000000" } }, false],
          [other]: [{ type: "before_absolute_time", absBeforeEpoch: (closeTime + 60n).toString() }, true]
        }
      )
    }).pipe(Effect.provide(world())))

  it.effect("signers of all kinds are named, the master key even at weight 0", () =>
    Effect.gen(function*() {
      const { source } = yield* FundedPair
      const cosigner = Keypair.random()
      const hash = createHash("sha256").update("some transaction").digest()
      const payload = StrKey.encodeSignedPayload(
        new xdr.SignerKeyEd25519SignedPayload({ ed25519: cosigner.rawPublicKey(), payload: new Uint8Array([1, 2, 3]) }).toXdr()
      )
      yield* perform("signers", {
        as: source,
        operations: [
          Operation.setOptions({ signer: { ed25519PublicKey: cosigner.publicKey(), weight: 255 } }),
          Operation.setOptions({ signer: { preAuthTx: hash, weight: 2 } }),
          Operation.setOptions({ signer: { sha256Hash: hash, weight: 3 } }),
          Operation.setOptions({ signer: { ed25519SignedPayload: payload, weight: 4 } }),
          Operation.setOptions({ masterWeight: 0 })
        ]
      })
      const { state } = yield* read(source)
      assert.deepStrictEqual(
        Object.fromEntries(state.signers.map(({ key, type, weight }) => [type + weight, key])),
        {
          ed25519_public_key0: source.publicKey(),
          ed25519_public_key255: cosigner.publicKey(),
          preauth_tx2: StrKey.encodePreAuthTx(hash),
          hash_x3: StrKey.encodeSha256Hash(hash),
          ed25519_signed_payload4: payload
        }
      )
      assert.isFalse(state.subEntryMismatch)
    }).pipe(Effect.provide(world())))

  it.effect("AUTH_IMMUTABLE and a line that may only maintain liabilities are told", () =>
    Effect.gen(function*() {
      const { destination: issuer, source } = yield* FundedPair
      const asset = new Asset("USD", issuer.publicKey())
      yield* perform("flags", { as: issuer, operations: [Operation.setOptions({ setFlags: 2 })] })
      yield* perform("line", { as: source, operations: [Operation.changeTrust({ asset })] })
      yield* perform("deauthorise", {
        as: issuer,
        operations: [
          Operation.setTrustLineFlags({
            trustor: source.publicKey(),
            asset,
            flags: { authorized: false, authorizedToMaintainLiabilities: true }
          }),
          Operation.setOptions({ setFlags: 4 })
        ]
      })
      assert.strictEqual((yield* read(source)).state.trustlines[0]?.authorized, false)
      assert.isTrue((yield* read(issuer)).state.authImmutable)
    }).pipe(Effect.provide(world())))

  it.effect("thousands of claimable balances are read to the last one", () =>
    Effect.gen(function*() {
      const { source } = yield* FundedPair
      const giver = Keypair.random()
      yield* fund("5000", giver)
      const balances = Array.from({ length: 100 }, () =>
        Operation.createClaimableBalance({ asset: Asset.native(), amount: "1", claimants: [new Claimant(source.publicKey())] }))
      for (let batch = 0; batch < 10; batch++) {
        yield* perform("balances", { as: giver, operations: balances })
      }
      const { state } = yield* read(source)
      assert.strictEqual(
        new Set(state.claimableBalances.map(({ id }) =>
          id
        )).size,
        1000
      )
    }).pipe(Effect.provide(world())), 60_000)
})

describe("sponsorships", () => {
  /** Lets `sponsor` pay the reserves of the entries that `operations` create for `owner`. */
  const sandwich = (sponsor: Keypair, owner: Keypair, operations: ReadonlyArray<xdr.Operation>) =>
    perform("sponsor", {
      as: sponsor,
      signedBy: [sponsor, owner],
      operations: [
        Operation.beginSponsoringFutureReserves({ sponsoredId: owner.publicKey() }),
        ...operations,
        Operation.endSponsoringFutureReserves({ source: owner.publicKey() })
      ]
    })

  it.effect("of every kind are listed, and counted in reserves", () =>
    Effect.gen(function*() {
      const { destination: sponsor, source: owner } = yield* FundedPair
      const [newcomer, cosigner] = [Keypair.random(), Keypair.random()]
      yield* sandwich(sponsor, newcomer, [Operation.createAccount({ destination: newcomer.publicKey(), startingBalance: "0" })])
      const asset = new Asset("USD", sponsor.publicKey())
      const pool = new LiquidityPoolAsset(Asset.native(), asset, 30)
      const source = owner.publicKey()
      yield* sandwich(sponsor, owner, [
        Operation.changeTrust({ asset, source }),
        Operation.changeTrust({ asset: pool, source }),
        Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "1", price: "1", source }),
        Operation.manageData({ name: "note", value: "x", source }),
        Operation.setOptions({ signer: { ed25519PublicKey: cosigner.publicKey(), weight: 1 }, source })
      ])
      yield* perform("not sponsored", { as: owner, operations: [Operation.manageData({ name: "own", value: "x" })] })
      yield* perform("balance", {
        as: sponsor,
        operations: [
          Operation.createClaimableBalance({
            asset: Asset.native(),
            amount: "1",
            claimants: [new Claimant(source), new Claimant(newcomer.publicKey())]
          })
        ]
      })
      const { state } = yield* read(sponsor)
      const [balance] = (yield* read(owner)).state.claimableBalances
      const [share] = (yield* read(owner)).state.poolShares
      const [offer] = (yield* read(owner)).state.openOffers
      assert.strictEqual(state.numSponsoring, 2 + 1 + 2 + 1 + 1 + 1 + 2)
      assert.isFalse(state.sponsorshipEnumerationIncomplete)
      const listed = state.sponsoredEntries.map((entry) => JSON.stringify(entry)).toSorted()
      const expected = [
        { kind: "account", owner: newcomer.publicKey() },
        { kind: "trustline", owner: source, asset: `USD:${sponsor.publicKey()}` },
        { kind: "trustline", owner: source, asset: share?.poolId },
        { kind: "offer", owner: source, offerId: offer?.id },
        { kind: "data_entry", owner: source, name: "note" },
        { kind: "signer", owner: source, signerKey: cosigner.publicKey() },
        { kind: "claimable_balance", balanceId: balance?.id }
      ]
      assert.deepStrictEqual(listed, expected.map((entry) => JSON.stringify(entry)).toSorted())
      yield* Schema.encode(AccountState)(state)
      assert.strictEqual((yield* read(newcomer)).state.sponsoredBy, addressOf(sponsor))
      assert.isNull((yield* read(owner)).state.sponsoredBy)
    }).pipe(Effect.provide(world())))

  it.effect("that the ledger API does not name are missed, and the read says so", () =>
    Effect.gen(function*() {
      const { destination: sponsor, source: owner } = yield* FundedPair
      yield* sandwich(sponsor, owner, [Operation.manageData({ name: "note", value: "x", source: owner.publicKey() })])
      const { state } = yield* soon(read(sponsor))
      assert.strictEqual(state.numSponsoring, 1)
      assert.deepStrictEqual(state.sponsoredEntries, [])
      assert.isTrue(state.sponsorshipEnumerationIncomplete)
    }).pipe(
      Effect.provide(
        world({
          between: (request, send) =>
            !isRpc(request) && new URL(request.url).pathname === "/accounts"
              ? Effect.succeed(
                HttpClientResponse.fromWeb(
                  request,
                  new Response(JSON.stringify({ _embedded: { records: [] } }), { headers: { "latest-ledger": "9" } })
                )
              )
              : send
        })
      )
    ))

  it.effect("beyond five thousand reserves are not listed at all", () =>
    Effect.gen(function*() {
      const sponsor = Keypair.random()
      yield* fund("50000", sponsor)
      const claimants = Array.from({ length: 10 }, () => new Claimant(Keypair.random().publicKey()))
      const balance = Operation.createClaimableBalance({ asset: Asset.native(), amount: "1", claimants })
      for (let batch = 0; batch < 5; batch++) {
        yield* perform("balances", {
          as: sponsor,
          operations: Array.from({ length: 100 }, () => balance)
        })
      }
      const most = (yield* read(sponsor)).state
      assert.deepStrictEqual([most.numSponsoring, most.sponsoredEntries.length, most.sponsorshipEnumerationIncomplete], [5000, 500, false])
      yield* perform("one more", { as: sponsor, operations: [balance] })
      const more = (yield* read(sponsor)).state
      assert.deepStrictEqual([more.sponsoredEntries.length, more.sponsorshipEnumerationIncomplete], [0, true])
    }).pipe(Effect.provide(world())), 60_000)
})

describe("positions", () => {
  it.effect("are empty where no protocol is deployed", () =>
    Effect.gen(function*() {
      const { source } = yield* FundedPair
      const { readAt, state } = yield* read(source)
      assert.strictEqual(state.defiPositions.source, "empty")
      assert.strictEqual(state.defiPositions.timestamp, readAt)
      assert.deepStrictEqual(state.defiPositionsWarnings, [])
      const { rpcEndpoints, rpcPolicy } = state.defiPositions.queryKeys
      assert.deepStrictEqual(rpcEndpoints.map(({ health, url }) => [url, health]), [["http://sandbox.invalid", "healthy"]])
      assert.deepStrictEqual(rpcPolicy, {
        maxKeysPerCall: 200,
        recommendedConcurrency: 4,
        backoffOn429Ms: [250, 500, 1000, 2000],
        timeoutMs: 10_000
      })
    }).pipe(Effect.provide(world())))

  it.effect("are not tracked, with a warning each, where a protocol is deployed and nothing of it is read", () => {
    const contract = anyContract()
    const contracts = ContractAddresses.layerValue({
      protocols: { ...noContracts, lend_1: { poolV2: [contract] }, amm_1: { router: [contract] } },
      tokens: "none"
    })
    return Effect.gen(function*() {
      const { source } = yield* FundedPair
      const { state } = yield* read(source)
      assert.strictEqual(state.defiPositions.source, "not-tracked")
      assert.deepStrictEqual(state.defiPositionsWarnings.map(({ code, subject }) => [code, subject]), [
        ["protocol_not_read", "amm_1"],
        ["protocol_not_read", "lend_1"]
      ])
    }).pipe(Effect.provide(world({ contracts, protocols: [] })))
  })
})

describe("sources that fail", () => {
  const garbage = (request: Parameters<typeof HttpClientResponse.fromWeb>[0]) =>
    Effect.succeed(HttpClientResponse.fromWeb(request, new Response("<html>")))

  /** The failure of a read on a moving clock, because the reader retries a failed request once. */
  const failureOf = (keys: Keypair) => Effect.flatMap(timed(read(keys)), ({ exit }) => Effect.flip(exit))

  it.effect("fail the read when the ledger API answers nonsense to a part of the list", () =>
    Effect.gen(function*() {
      const failure = yield* failureOf((yield* DemoAccount).source)
      assert.strictEqual(failure._tag === "UpstreamUnusable" ? failure.source : failure._tag, "ledger_api")
    }).pipe(Effect.provide(world({ between: (request, send) => (request.url.includes("claimable_balances") ? garbage(request) : send) }))))

  it.effect("fail the read when the contract RPC answers nonsense", () =>
    Effect.gen(function*() {
      const failure = yield* failureOf((yield* DemoAccount).source)
      assert.strictEqual(failure._tag === "UpstreamUnusable" ? failure.source : failure._tag, "contract_rpc")
    }).pipe(Effect.provide(world({ between: (request, send) => (isRpc(request) ? garbage(request) : send) }))))
})

describe("an account that changes while it is read", () => {
  /** Runs an effect once, just before the second request for entries. */
  const interfering = (act: Effect.Effect<unknown>, times = 1) => {
    let asked = 0
    return world({
      between: (request, send) => {
        if (!isRpc(request) || methodOf(request) !== "getLedgerEntries") return send
        asked += 1
        return asked % 2 === 0 && asked / 2 <= times ? Effect.zipRight(act, send) : send
      }
    })
  }

  it.effect("is read again, and then fits together", () => {
    let removal: Effect.Effect<unknown> = Effect.void
    return Effect.gen(function*() {
      const { source } = yield* DemoAccount
      const context = yield* Effect.context<Network>()
      removal = Effect.provide(
        perform("remove an entry", { as: source, operations: [Operation.manageData({ name: "contact", value: null })] }),
        context
      ).pipe(Effect.orDie)
      const fiber = yield* Effect.fork(read(source))
      yield* TestClock.adjust("1 second")
      const snapshot = yield* Fiber.join(fiber)
      assert.deepStrictEqual(snapshot.warnings, [])
      assert.isFalse(snapshot.state.dataEntries.some(({ key }) => key === "contact"))
      assert.strictEqual(snapshot.state.dataEntries.length, 4)
      assert.deepStrictEqual(texts(snapshot.entries), texts(yield* held(source)))
    }).pipe(Effect.provide(interfering(Effect.suspend(() => removal))))
  })

  it.effect("and does not stop changing is read with a warning", () => {
    let change: Effect.Effect<unknown> = Effect.void
    return Effect.gen(function*() {
      const { source } = yield* DemoAccount
      const context = yield* Effect.context<Network>()
      change = Effect.provide(perform("bump", { as: source, operations: [Operation.bumpSequence({ bumpTo: "0" })] }), context).pipe(
        Effect.orDie
      )
      const fiber = yield* Effect.fork(read(source))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(codes(yield* Fiber.join(fiber)), ["straddled_read", "source_lagging"])
    }).pipe(Effect.provide(interfering(Effect.suspend(() => change), 2)))
  })

  it.effect("and is merged away meanwhile is not found", () => {
    let merge: Effect.Effect<unknown> = Effect.void
    return Effect.gen(function*() {
      const { destination, source } = yield* FundedPair
      const context = yield* Effect.context<Network>()
      merge = Effect.provide(
        perform("merge", { as: source, operations: [Operation.accountMerge({ destination: destination.publicKey() })] }),
        context
      ).pipe(Effect.orDie)
      assert.strictEqual((yield* Effect.flip(read(source)))._tag, "AccountNotFound")
    }).pipe(Effect.provide(interfering(Effect.suspend(() => merge))))
  })
})

describe("a ledger API that lags", () => {
  /** After a switch, the ledger API repeats its earlier answers. */
  const lagging = () => {
    const said = new Map<string, string>()
    let frozen = false
    const layer = world({
      between: (request, send) => {
        if (isRpc(request)) return send
        const key = JSON.stringify([request.url, request.urlParams])
        const old = said.get(key)
        if (frozen && old !== undefined) {
          const { body, headers, status } = JSON.parse(old)
          return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(body, { headers, status })))
        }
        return Effect.tap(
          send,
          (response) =>
            Effect.map(response.text, (body) => said.set(key, JSON.stringify({ body, headers: response.headers, status: response.status })))
        )
      }
    })
    return {
      layer,
      freeze: Effect.sync(() => {
        frozen = true
      })
    }
  }

  it.effect("misses what came since, and the read says so in every way it can", () => {
    const { freeze, layer } = lagging()
    return Effect.gen(function*() {
      const { source } = yield* DemoAccount
      yield* read(source)
      yield* freeze
      yield* perform("a new entry", { as: source, operations: [Operation.manageData({ name: "new", value: "x" })] })
      const fiber = yield* Effect.fork(read(source))
      yield* TestClock.adjust("1 second")
      const snapshot = yield* Fiber.join(fiber)
      assert.isFalse(snapshot.state.dataEntries.some(({ key }) => key === "new"))
      assert.isTrue(snapshot.state.subEntryMismatch)
      assert.deepStrictEqual(codes(snapshot), ["straddled_read", "source_lagging"])
      assert.isBelow(snapshot.ledgerApiLedger, snapshot.header.ledgerSeq)
    }).pipe(Effect.provide(layer))
  })

  it.effect("lists what is gone, which is dropped", () => {
    const { freeze, layer } = lagging()
    return Effect.gen(function*() {
      const { source } = yield* DemoAccount
      const before = yield* read(source)
      yield* freeze
      const [offer] = before.state.openOffers
      yield* perform("cancel", {
        as: source,
        operations: [
          Operation.manageSellOffer({
            offerId: offer?.id ?? "",
            selling: new Asset("USD", offer?.selling.split(":")[1]),
            buying: Asset.native(),
            amount: "0",
            price: "1"
          })
        ]
      })
      const fiber = yield* Effect.fork(read(source))
      yield* TestClock.adjust("1 second")
      const snapshot = yield* Fiber.join(fiber)
      assert.strictEqual(snapshot.state.openOffers.length, before.state.openOffers.length - 1)
      assert.isFalse(snapshot.state.subEntryMismatch)
      assert.deepStrictEqual(texts(snapshot.entries), texts(yield* held(source)))
    }).pipe(Effect.provide(layer))
  })

  it.effect("but has seen the account's last change may miss what others send, and the read says so", () => {
    const { freeze, layer } = lagging()
    return Effect.gen(function*() {
      const { source } = yield* DemoAccount
      yield* read(source)
      yield* freeze
      yield* (yield* Network).closeLedger()
      const snapshot = yield* read(source)
      assert.deepStrictEqual(codes(snapshot), ["source_lagging"])
      assert.include(snapshot.warnings[0]?.message, "1 ledger behind")
      assert.isFalse(snapshot.state.subEntryMismatch)
      const newest = snapshot.header.ledgerSeq
      assert.strictEqual(snapshot.ledgerApiLedger, newest - 1)
      assert.deepStrictEqual(snapshot.ledgers, {
        began: newest,
        listed: { oldest: newest - 1, newest: newest - 1 },
        confirmed: { oldest: newest, newest },
        header: newest
      })
      assert.deepStrictEqual(snapshot.state.warnings, snapshot.warnings)
    }).pipe(Effect.provide(layer))
  })
})

describe("entries", () => {
  it.effect("are each there once", () =>
    Effect.gen(function*() {
      const { entries } = yield* read((yield* DemoAccount).maker)
      const keys = entries.map(({ data }) => keyText(keyOfEntryData(data)))
      assert.strictEqual(new Set(keys).size, keys.length)
    }).pipe(Effect.provide(world())))
})
