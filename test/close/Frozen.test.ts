import { assert } from "@effect/vitest"
import { type Asset, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { accountKey, trustlineKey } from "../../src/xdr/LedgerKeys.ts"
import { layer } from "../support/Layered.ts"
import { Issued, Pair } from "./support/Accounts.ts"
import { acknowledges } from "./support/Answering.ts"
import { plan, refusal } from "./support/Client.ts"
import { Service } from "./support/Service.ts"

/** The validators freeze these keys and no others. */
const freeze = (...keys: ReadonlyArray<xdr.LedgerKey>) =>
  Effect.flatMap(Service, ({ sandbox }) =>
    sandbox.amend((state) =>
      state.set([
        new xdr.LedgerEntry({
          lastModifiedLedgerSeq: state.header.ledgerSeq,
          data: xdr.LedgerEntryData.configSetting(
            xdr.ConfigSettingEntry.configSettingFrozenLedgerKeys(
              new xdr.FrozenLedgerKeys({ keys: keys.map((key) => new xdr.EncodedLedgerKey(key.toXdr())) })
            )
          ),
          ext: xdr.LedgerEntryExt.v0()
        })
      ])
    ))

const lineKey = (address: string, asset: Asset) => trustlineKey(address, asset.toTrustLineXdrObject())

layer(Service.layer(), { excludeTestServices: true })("a frozen key", (it) => {
  it.effect("of the account, one of its lines or the destination blocks the close by name", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { asset } = yield* on(Issued("USD", [source, "1"]))
      const request = {
        source: source.publicKey(),
        destination: destination.publicKey(),
        decisions: [acknowledges(destination.publicKey())]
      }
      const frozen = Effect.map(
        plan(request),
        ({ blockers }) => blockers.filter(({ reason }) => reason === "frozen_entry").map(({ subject }) => subject)
      )
      assert.deepStrictEqual(yield* frozen, [])
      yield* freeze(lineKey(source.publicKey(), asset))
      assert.deepStrictEqual(yield* frozen, [`USD:${asset.getIssuer()}`])
      // The proceeds after the blockers are gone are unknown, so the plan shows null and not zero.
      const { estimate } = yield* plan(request)
      assert.deepStrictEqual([estimate.receivedLumens, estimate.minReceivedLumens], [null, null])
      yield* freeze(accountKey(destination.publicKey()))
      assert.deepStrictEqual(yield* frozen, [destination.publicKey()])
      assert.deepInclude(yield* refusal("next", request), { status: 422, code: "plan_blocked" })
      yield* freeze(accountKey(source.publicKey()))
      assert.deepStrictEqual(yield* frozen, [source.publicKey()])
      yield* freeze()
      assert.deepStrictEqual(yield* frozen, [])
    }))
})
