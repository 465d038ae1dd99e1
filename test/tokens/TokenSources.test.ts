import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addressOf, i128 } from "../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../src/sandbox/contracts/Deployment.ts"
import { tokenBalanceKey } from "../../src/sandbox/contracts/Token.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { deployToken, mintToken, sendToken } from "../../src/sandbox/scenarios/Tokens.ts"
import { Issued, Pair } from "../close/support/Accounts.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import { addressNamed } from "./support/TokenService.ts"
import { coverageIn, paying, readTokens, refusedTokens, TokenAt, tokensServed } from "./support/TokensServed.ts"

const listed = addressNamed("sources: listed")
const paid = addressNamed("sources: paid")
const share = addressNamed("sources: share")
const absent = addressNamed("sources: absent")

layer(tokensServed({ tokens: [listed], protocols: [paying([paid], share)] }), { excludeTestServices: true })(
  "contract tokens of an account",
  (it) => {
    it.effect("are found by the list, by what exits pay, by hand, by mints and by transfers, each with who named it", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { destination, source } = yield* on(FundedPair)
        const owner = source.publicKey()
        yield* on(TokenAt(listed, { symbol: "LST", decimals: 5 }))
        yield* on(TokenAt(paid, { family: "open_zeppelin", symbol: "PAY", decimals: 9 }))
        yield* on(TokenAt(share, { symbol: "SHR" }))
        yield* on(mintToken(listed, owner, 12n))
        yield* on(mintToken(share, owner, 5n))
        const named = yield* on(deployToken({ family: "book", symbol: "BOOK", decimals: 3 }))
        yield* on(mintToken(named, owner, 7n))
        const minted = yield* on(deployToken({ family: "open_zeppelin", symbol: "MINT" }))
        yield* on(mintToken(minted, owner, 8n))
        const sent = yield* on(deployToken({ symbol: "SENT" }))
        yield* on(mintToken(sent, destination.publicKey(), 100n))
        yield* on(sendToken(sent, destination, owner, 30n))
        const read = yield* readTokens(owner, [named, absent])
        assert.deepStrictEqual(Object.fromEntries(read.tokens.map(({ contract, ...rest }) => [contract, rest])), {
          [listed]: { balance: "12", symbol: "LST", decimals: 5, sources: ["list", "events"] },
          [paid]: { balance: "0", symbol: "PAY", decimals: 9, sources: ["positions"] },
          [named]: { balance: "7", symbol: "BOOK", decimals: 3, sources: ["manual", "events"] },
          [minted]: { balance: "8", symbol: "MINT", decimals: 7, sources: ["events"] },
          [sent]: { balance: "30", symbol: "SENT", decimals: 7, sources: ["events"] }
        })
        assert.deepStrictEqual(read.unreadable, [])
        assert.deepStrictEqual(read.warnings.map(({ code, subject }) => [code, subject]), [["tokens_not_checked", absent]])
        const coverage = coverageIn(read)
        const { fromLedger, toLedger } = read.eventsScanned ?? assert.fail("nothing was scanned")
        assert.deepStrictEqual(coverage, {
          manual: ["ok", null],
          positions: ["ok", null],
          list: ["ok", null],
          events: ["ok", `ledgers ${fromLedger} to ${toLedger}`],
          explorer: ["skipped", "none is configured"]
        })
      }))

    it.effect("are not those of assets, whoever names them, nor shares of protocols, and who names them is told", () =>
      Effect.gen(function*() {
        const { on, passphrase } = yield* Service
        const { destination, source } = yield* on(Pair())
        const { asset } = yield* on(Issued("USD", [source, "10"]))
        const other = (yield* on(Issued("EUR", [destination, "10"]))).asset.contractId(passphrase)
        const read = yield* readTokens(source.publicKey(), [asset.contractId(passphrase), other, share])
        assert.deepStrictEqual(read.tokens.map(({ balance, contract }) => [contract, balance]), [[paid, "0"]])
        assert.deepStrictEqual(read.unreadable, [])
        assert.deepStrictEqual(
          read.warnings.map(({ code, subject }) => [code, subject]).toSorted(),
          [asset.contractId(passphrase), other, share].map((token) => ["tokens_not_checked", token]).toSorted()
        )
      }))

    it.effect("may be named twenty at a time, and no more", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { source } = yield* on(Pair())
        const tokens = yield* Effect.replicateEffect(on(deployToken()), 21)
        for (const token of tokens.slice(0, 20)) yield* on(mintToken(token, source.publicKey(), 1n))
        const read = yield* readTokens(source.publicKey(), tokens.slice(0, 20))
        assert.deepStrictEqual(
          read.tokens.filter(({ sources }) => sources.includes("manual")).map(({ contract }) => `${contract}`),
          tokens.slice(0, 20).toSorted()
        )
        const refused = yield* refusedTokens(source.publicKey(), tokens)
        assert.deepStrictEqual([refused.status, refused.body.error.code], [400, "invalid_tokens"])
      }))

    it.effect("that were put away are told with what they had last", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { source } = yield* on(Pair())
        const token = yield* on(deployToken({ symbol: "OLD" }))
        yield* on(mintToken(token, source.publicKey(), 44n))
        yield* on(Effect.flatMap(Network, ({ amend }) =>
          amend((state) =>
            state.set(
              dataEntries(
                addressOf(token),
                [tokenBalanceKey(addressOf(source.publicKey())), i128(44n)],
                "persistent",
                state.header.ledgerSeq - 1
              )
            )
          )))
        const read = yield* readTokens(source.publicKey(), [token])
        assert.deepInclude(read.tokens.map(({ balance, contract }) => [contract, balance]), [token, "44"])
      }))
  }
)
