import { assert, describe } from "@effect/vitest"
import { Account, Keypair, MuxedAccount, StrKey } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { AccountNotFound } from "../../src/domain/failure/Request.ts"
import { layer } from "../support/Layered.ts"
import { get, send, sendKeyed, testHttp } from "../support/TestHttp.ts"

const keys = Keypair.random()
const address = keys.publicKey()
const contract = () => StrKey.encodeContract(Keypair.random().rawPublicKey())
const [one, other] = [contract(), contract()]
const muxed = new MuxedAccount(new Account(address, "0"), "7").accountId()
const wrongChecksum = `${address.slice(0, -1)}${address.endsWith("A") ? "B" : "A"}`

/** Invalid requests for an account, with their status and code. With several faults the first counts. */
const refused: ReadonlyArray<readonly [name: string, path: string, answer: readonly [status: number, code: string | undefined]]> = [
  ["an unknown network", `/futurenet/account/${address}`, [400, "invalid_network"]],
  ["an unknown network and a wrong address", "/futurenet/account/nobody", [400, "invalid_network"]],
  ["an unknown network and a wrong list", `/futurenet/account/${address}?tokens=x`, [400, "invalid_network"]],
  ["a network in capitals", `/Testnet/account/${address}`, [400, "invalid_network"]],
  ["a network that is not configured", `/mainnet/account/${address}`, [503, "network_unavailable"]],
  ["a wrong address on a network that is not configured", "/mainnet/account/nobody", [400, "invalid_address"]],
  ["no address", "/testnet/account/nobody", [400, "invalid_address"]],
  ["a wrong checksum", `/testnet/account/${wrongChecksum}`, [400, "invalid_address"]],
  ["small letters", `/testnet/account/${address.toLowerCase()}`, [400, "invalid_address"]],
  ["a muxed address", `/testnet/account/${muxed}`, [400, "invalid_address"]],
  ["a contract", `/testnet/account/${one}`, [400, "invalid_address"]],
  ["a secret seed", `/testnet/account/${keys.secret()}`, [400, "secret_key_refused"]],
  ["a wrong address and a wrong list", "/testnet/account/nobody?tokens=x", [400, "invalid_address"]],
  ["21 tokens", `/testnet/account/${address}?tokens=${Array.from({ length: 21 }, contract).join(",")}`, [400, "invalid_tokens"]],
  ["a token twice", `/testnet/account/${address}?tokens=${one},${other},${one}`, [400, "invalid_tokens"]],
  ["an account among the tokens", `/testnet/account/${address}?tokens=${one},${address}`, [400, "invalid_tokens"]],
  ["an empty list", `/testnet/account/${address}?tokens=`, [400, "invalid_tokens"]],
  ["a list with a gap", `/testnet/account/${address}?tokens=${one},,${other}`, [400, "invalid_tokens"]],
  ["two lists", `/testnet/account/${address}?tokens=${one}&tokens=${other}`, [400, "invalid_tokens"]],
  ["an account that is not there", `/testnet/account/${address}`, [404, "not_found"]],
  ["20 tokens and an account that is not there", `/testnet/account/${address}?tokens=${Array.from({ length: 20 }, contract).join(",")}`, [
    404,
    "not_found"
  ]]
]

layer(testHttp({ read: (asked) => Effect.fail(new AccountNotFound({ address: asked })) }))("an account is refused for", (it) => {
  for (const [name, path, answer] of refused) {
    it.effect(name, () =>
      Effect.gen(function*() {
        const { code, status, text } = yield* sendKeyed(get(path))
        assert.deepStrictEqual([status, code], answer)
        assert.notInclude(text, keys.secret())
      }))
  }

  it.effect("a missing key, before anything else", () =>
    Effect.gen(function*() {
      const { code, status } = yield* send(get("/futurenet/account/nobody"))
      assert.deepStrictEqual([status, code], [401, "unauthorized"])
    }))

  it.effect("a muxed address in words that help", () =>
    Effect.gen(function*() {
      const { json } = yield* sendKeyed(get(`/testnet/account/${muxed}`))
      assert.include(JSON.stringify(json), "Muxed addresses (M...) are not accepted")
    }))
})

describe("the list of tokens", () => {
  const asked: Array<ReadonlyArray<string>> = []
  layer(testHttp({
    read: (address, tokens) =>
      Effect.suspend(() => {
        asked.push(tokens)
        return Effect.fail(new AccountNotFound({ address }))
      })
  }))("of a query", (it) => {
    it.effect("reaches the reader", () =>
      Effect.gen(function*() {
        yield* sendKeyed(get(`/testnet/account/${address}?tokens=${one},${other}`))
        yield* sendKeyed(get(`/testnet/account/${address}`))
        assert.deepStrictEqual(asked, [[one, other], []])
      }))
  })
})
