import { assert } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addLiquidity, PairsMarketOf } from "../../../../src/sandbox/scenarios/PairsMarket.ts"
import { fund, perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../../support/Layered.ts"
import { answersTo, pointOf } from "../../support/Answering.ts"
import { plan } from "../../support/Client.ts"
import { heldOf, lumensOf } from "../../support/LedgerView.ts"
import { Service } from "../../support/Service.ts"
import { listedIssuer, tokensService } from "./support/DeclaredTokens.ts"
import { closed } from "./support/Holder.ts"

const inStroops = (text: string | undefined): bigint => BigInt((text ?? "0").replace(".", ""))

const { issuer: issued, listed } = listedIssuer("USDC")

for (const kept of ["0", "7"]) {
  layer(tokensService(["amm_2"], {}, listed), { excludeTestServices: true })(
    `an asset that a position will still pay, with ${kept} on its line`,
    (it) => {
      it.effect("is offered for sale through contracts that alone buy it", () =>
        Effect.gen(function*() {
          const { on } = yield* Service
          const { eurc, issuer, native, tokens, usdc } = yield* on(PairsMarketOf(issued))
          const [source, destination] = [Keypair.random(), Keypair.random()]
          yield* on(fund("100", source, destination))
          yield* on(perform("it trusts", { as: source, operations: [eurc, usdc].map((asset) => Operation.changeTrust({ asset })) }))
          const pay = (asset: typeof eurc, amount: string) => Operation.payment({ destination: source.publicKey(), asset, amount })
          yield* on(perform("it is paid", { as: issuer, operations: [pay(eurc, "9"), pay(usdc, "10")] }))
          yield* on(
            addLiquidity("it provides", source, { token: tokens.usdc, amount: 9_9000000n }, { token: tokens.eurc, amount: 9_0000000n })
          )
          const left = yield* heldOf(source, eurc)
          yield* on(perform("what is left is given back, and the book is emptied", {
            as: issuer,
            operations: [
              ...(kept === "0" ? [] : [pay(eurc, kept)]),
              Operation.manageSellOffer({ selling: eurc, buying: native, amount: "5000", price: "9" })
            ]
          }))
          if (kept === "0" && (left ?? 0n) > 0n) {
            const amount = `0.${(left ?? 0n).toString().padStart(7, "0")}`
            yield* on(perform("the line is emptied", {
              as: source,
              operations: [Operation.payment({ destination: issuer.publicKey(), asset: eurc, amount })]
            }))
          }
          yield* laterLedger
          const request = { source: source.publicKey(), destination: destination.publicKey() }
          // Shares can be gifts, so that the exit has a decision.
          const leaving = answersTo(yield* plan(request), "exit")
          const asked = yield* plan({ ...request, decisions: leaving.filter(({ id }) => !id.startsWith("asset:")) })
          const point = pointOf(asked, `asset:EURC-${eurc.getIssuer()}`)
          const [first] = point.options
          assert.deepStrictEqual(
            [point.required, first?.id, first?.recommended, first?.needs, first?.quote?.source],
            [true, "convert_through_contracts", true, [], "amm_2"],
            JSON.stringify(point)
          )
          // Balance and payout together.
          assert.isTrue(inStroops(first?.params?.amount) >= 8_9000000n + inStroops(`${kept}.0000000`), first?.params?.amount)
          const decisions = answersTo(asked, "exit")
          const before = yield* lumensOf(destination)
          const { plan: ready } = yield* closed(
            {
              ...request,
              decisions: [...leaving.filter(({ id }) => decisions.every((one) => one.id !== id) && id.startsWith("position")), ...decisions]
            },
            source
          )
          assert.deepStrictEqual(ready.blockers, [])
          const received = (yield* lumensOf(destination)) - before
          assert.isTrue(received >= inStroops(ready.estimate.minReceivedLumens ?? ""), `${received}`)
          assert.isTrue(received >= 99_0000000n + inStroops(first?.params?.minReceive), `${received}, ${JSON.stringify(ready.estimate)}`)
        }))
    }
  )
}
