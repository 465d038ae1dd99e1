import { assert, describe, it } from "@effect/vitest"
import type { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { servingWith } from "../../src/TeamService.ts"
import { startTestService } from "../support/TestService.ts"
import { closeByClient } from "./package/CloseByClient.ts"
import { layer } from "./package/Jar.ts"
import { sandbox } from "./package/JarModel.ts"

interface Account {
  readonly nativeBalanceLumens: string
  readonly defiPositions: { readonly positions: ReadonlyArray<{ readonly protocol: string; readonly positionType: string }> }
}

describe("a package from outside", () => {
  it.scopedLive("adds a protocol, its contracts and an account on the sandbox, and closes that account through the protocol", () =>
    Effect.gen(function*() {
      const service = yield* startTestService({}, servingWith({ protocols: layer, sandbox }))
      const [{ destination, source } = assert.fail("no account is prepared")] = service.prepared
      const listed = yield* service.call<object>("GET", "/")
      assert.include(JSON.stringify(listed.body), "acme_jar")
      const show = (account: Keypair) => service.call<Account>("GET", `/testnet/account/${account.publicKey()}`)
      const { body: { defiPositions } } = yield* show(source)
      assert.deepStrictEqual(
        defiPositions.positions.map(({ positionType, protocol }) => [protocol, positionType]),
        [["acme_jar", "other"]]
      )
      const keys = { source: source.publicKey(), secret: source.secret(), destination: destination.publicKey() }
      assert.strictEqual(yield* Effect.promise(() => closeByClient(service, keys)), 2)
      assert.strictEqual((yield* show(source)).status, 404)
      // 100 of its own, 75 of the account's and the 25 in the jar, less fees.
      assert.closeTo(Number((yield* show(destination)).body.nativeBalanceLumens), 200, 0.1)
    }))
})
