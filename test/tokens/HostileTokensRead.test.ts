import { assert } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { addressOf, i128, string, symbol, u32 } from "../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../src/sandbox/contracts/Deployment.ts"
import { tokenBalanceKey } from "../../src/sandbox/contracts/Token.ts"
import type { Behaviour } from "../../src/sandbox/contracts/tokens/Behaviour.ts"
import type { NewToken } from "../../src/sandbox/contracts/tokens/NewToken.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { deployToken, mintToken, turnToken } from "../../src/sandbox/scenarios/Tokens.ts"
import { Pair } from "../close/support/Accounts.ts"
import { Service } from "../close/support/Service.ts"
import { jumping } from "../support/JumpingClock.ts"
import { layer } from "../support/Layered.ts"
import { addressNamed } from "./support/TokenService.ts"
import { readTokens, TokenAt, tokensServed } from "./support/TokensServed.ts"

const honest = addressNamed("hostile: an honest one")

/** A token with 1000 base units of an owner that turns malicious afterwards. */
const turned = (token: NewToken, owner: string, ...behaviours: ReadonlyArray<Behaviour>) =>
  Effect.gen(function*() {
    const address = yield* deployToken(token)
    yield* mintToken(address, owner, 1000n)
    yield* turnToken(address, behaviours)
    return address
  })

const answers = (fn: "balance" | "decimals" | "symbol", value: { readonly toXdr: (format: "base64") => string }): Behaviour => ({
  _tag: "Answers",
  function: fn,
  value: value.toXdr("base64")
})

/** An owner who also holds an honest token, which every read must report. */
const owning = Effect.gen(function*() {
  const { on } = yield* Service
  const { source } = yield* on(Pair())
  yield* on(TokenAt(honest, { symbol: "HON" }))
  yield* on(mintToken(honest, source.publicKey(), 3n))
  return source.publicKey()
})

/** The report on tokens named by hand; checks that it also has the honest one. */
const told = (owner: string, tokens: ReadonlyArray<string>) =>
  Effect.map(readTokens(owner, tokens), (read) => {
    assert.deepInclude(read.tokens.map(({ balance, contract }) => [contract, balance]), [honest, "3"])
    const rows = new Map(read.tokens.map((row) => [`${row.contract}`, row]))
    return { read, of: (token: string) => rows.get(token) ?? (read.unreadable.includes(token) ? "unreadable" : "nothing") }
  })

layer(Layer.provideMerge(tokensServed({ tokens: [honest] }), jumping), { excludeTestServices: true })("a hostile token", (it) => {
  it.effect(
    "that fails, hangs or answers what is no amount is unreadable where only its word tells a balance",
    () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const owner = yield* owning
        const bad = yield* Effect.all({
          fails: on(turned({ family: "book" }, owner, { _tag: "Fails", functions: ["balance"] })),
          numbered: on(turned({ family: "book" }, owner, { _tag: "Fails", functions: ["balance"], code: 7 })),
          hangs: on(turned({ family: "book" }, owner, { _tag: "NeverEnds", functions: ["balance"] })),
          negative: on(turned({ family: "book" }, owner, answers("balance", i128(-1n)))),
          short: on(turned({ family: "book" }, owner, answers("balance", u32(5)))),
          text: on(turned({ family: "book" }, owner, answers("balance", string("1000")))),
          huge: on(turned({ family: "book" }, owner, { _tag: "AnswersText", function: "balance", text: "9", times: 200_000 }))
        })
        const began = yield* Clock.currentTimeMillis
        const { of, read } = yield* told(owner, Object.values(bad))
        assert.isBelow((yield* Clock.currentTimeMillis) - began, 6_000)
        for (const [name, token] of Object.entries(bad)) assert.strictEqual(of(token), "unreadable", name)
        assert.deepStrictEqual(read.unreadable, Object.values(bad).toSorted())
        assert.deepStrictEqual(
          read.warnings.map(({ code, subject }) => [code, subject]),
          read.unreadable.map((token) => ["tokens_not_checked", token])
        )
        assert.isTrue(read.coverage.every(({ status }) => status !== "failed"))
      }),
    30_000
  )

  it.effect("whose balance stands in an entry is told by the entry, whatever it answers or does not", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const owner = yield* owning
      const bad = yield* Effect.all({
        fails: on(turned({}, owner, { _tag: "Fails", functions: ["balance"] })),
        hangs: on(turned({}, owner, { _tag: "NeverEnds", functions: ["balance", "symbol", "decimals"] })),
        hides: on(turned({}, owner, answers("balance", i128(0n)))),
        negative: on(turned({ family: "open_zeppelin" }, owner, answers("balance", i128(-5n))))
      })
      const { of } = yield* told(owner, Object.values(bad))
      for (const [name, token] of Object.entries(bad)) assert.deepInclude(of(token), { balance: "1000", symbol: "TKN", decimals: 7 }, name)
    }), 30_000)

  it.effect("that says more than stands in the entry is believed, because a transfer is held to what it says", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const owner = yield* owning
      const boasts = yield* on(turned({}, owner, answers("balance", i128(2n ** 127n - 1n))))
      const { of } = yield* told(owner, [boasts])
      assert.deepInclude(of(boasts), { balance: `${2n ** 127n - 1n}` })
    }))

  it.effect("has no name and no decimals where what it says cannot be shown", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const owner = yield* owning
      const value = (of: { readonly toXdr: (format: "base64") => string }) => ({ xdr: of.toXdr("base64") })
      const names: ReadonlyArray<readonly [NewToken, symbol: string | null, decimals: number | null]> = [
        [{ symbol: "A".repeat(32), decimals: 38 }, "A".repeat(32), 38],
        [{ symbol: "A".repeat(33), decimals: 39 }, null, null],
        [{ symbol: "", decimals: 4_294_967_295 }, null, null],
        [{ symbol: "\u202EDSU", decimals: 0 }, null, 0],
        [{ symbol: "US\nD" }, null, 7],
        [{ symbol: value(u32(1)), decimals: value(string("7")) }, null, null],
        [{ symbol: value(symbol("SYM")), decimals: value(i128(7n)) }, "SYM", null],
        [{ symbol: "X".repeat(60_000) }, null, 7],
        [{ weight: 60_000 }, "TKN", 7]
      ]
      for (const family of ["example", "open_zeppelin", "book"] as const) {
        const addresses = yield* Effect.forEach(names, ([token]) => on(deployToken({ ...token, family })))
        for (const address of addresses) yield* on(mintToken(address, owner, 9n))
        const { of } = yield* told(owner, addresses)
        for (const [at, [token, code, decimals]] of names.entries()) {
          const named = `${family} ${JSON.stringify(token).slice(0, 60)}`
          assert.deepInclude(of(addresses[at] ?? ""), { balance: "9", symbol: code, decimals }, named)
        }
      }
    }), 60_000)

  it.effect("that answers otherwise each time is told with what it answered, or not at all", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const owner = yield* owning
      const changes = yield* on(turned({ family: "book" }, owner, { _tag: "AnswersAnew", functions: ["balance", "symbol", "decimals"] }))
      const { of } = yield* told(owner, [changes])
      const row = of(changes)
      if (typeof row !== "string") assert.isTrue(BigInt(row.balance) > 0n)
    }))

  it.effect("whose entry is no balance is asked, and told by its word", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const owner = yield* owning
      const token = yield* on(turned({ family: "book" }, owner))
      yield* on(Effect.flatMap(Network, ({ amend }) =>
        amend((state) =>
          state.set(
            dataEntries(addressOf(token), [tokenBalanceKey(addressOf(owner)), string("a lot")], "persistent", state.header.ledgerSeq + 1000)
          )
        )))
      const { of } = yield* told(owner, [token])
      assert.deepInclude(of(token), { balance: "1000" })
    }))

  it.effect("that tells of transfers which never were is asked, and nothing comes of it", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const owner = yield* owning
      const { destination } = yield* on(Pair())
      const pretends: Behaviour = {
        _tag: "Pretends",
        functions: ["mint"],
        kind: "transfer",
        from: owner,
        to: owner,
        amount: 10n ** 30n,
        times: 3
      }
      for (const family of ["example", "open_zeppelin", "book"] as const) {
        const token = yield* on(deployToken({ family, behaviours: [pretends] }))
        yield* on(mintToken(token, destination.publicKey(), 1n))
      }
      const held = yield* on(deployToken({ family: "book", behaviours: [pretends] }))
      yield* on(mintToken(held, owner, 5n))
      const read = yield* readTokens(owner)
      assert.deepStrictEqual(
        Object.fromEntries(read.tokens.map(({ balance, contract, sources }) => [contract, [balance, ...sources]])),
        { [honest]: ["3", "list", "events"], [held]: ["5", "events"] }
      )
      assert.deepStrictEqual([read.unreadable, read.warnings], [[], []])
    }))

  it.effect("does not stall the read by coming in numbers", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const owner = yield* owning
      const many = yield* Effect.replicateEffect(on(turned({ family: "book" }, owner, { _tag: "NeverEnds", functions: ["balance"] })), 20)
      const began = yield* Clock.currentTimeMillis
      const { read } = yield* told(owner, many)
      assert.isBelow((yield* Clock.currentTimeMillis) - began, 9_000)
      // At one source 16 may hang in one read. Those after them are not queried, which a warning says.
      assert.strictEqual(read.unreadable.length, 16)
      assert.isTrue(read.unreadable.every((token) => many.includes(token)))
      const dropped = read.warnings.find(({ code }) => code === "candidates_dropped")
      assert.include(dropped?.message, "4 more token contracts")
    }), 60_000)
})
