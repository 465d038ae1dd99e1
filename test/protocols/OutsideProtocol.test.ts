import { OpenApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Schema } from "effect"
import { Api } from "../../src/api/Api.ts"
import { apiOf } from "../../src/api/ApiOf.ts"
import { NetworkSettings, sandboxAddress } from "../../src/chain/NetworkSettings.ts"
import { answersIn } from "../../src/close/situation/Decisions.ts"
import { PositionRow } from "../../src/domain/Position.ts"
import { OutsideProtocol, ownProtocols } from "../../src/domain/ProtocolName.ts"
import { unitsOf } from "../../src/protocols/HeldPosition.ts"
import { ownContracts } from "../../src/protocols/kit/ListedContracts.ts"
import { ProtocolRegistry } from "../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses, type ContractsDocument, noContracts, WasmHash } from "../../src/registry/ContractAddresses.ts"
import { anyContract } from "../support/Addresses.ts"
import { bare } from "./support/Bare.ts"
import { noEntries, sourcesOf } from "./support/Sources.ts"

const name = OutsideProtocol.make("acme_vault")
const [declared, inFile, token] = [anyContract(), anyContract(), anyContract()]
const [code, otherCode] = [WasmHash.make("ab".repeat(32)), WasmHash.make("cd".repeat(32))]
const sandbox = sandboxAddress({ passphrase: "a network", rpcUrl: "http://127.0.0.1:1", ledgerApiUrl: "http://127.0.0.1:2" })

const own = (file: Omit<ContractsDocument, "network">) =>
  ownContracts(name, ["vault"], { contracts: { sandbox: { vault: [declared] } }, code: { vault: [code] } }).pipe(
    Effect.provide([ContractAddresses.layerValue(file), Layer.succeed(NetworkSettings, sandbox)])
  )

const registryOf = (protocols: ContractsDocument["protocols"]) =>
  Effect.provide(
    ProtocolRegistry,
    ProtocolRegistry.layerOf([bare(name)]).pipe(
      Layer.provide([ContractAddresses.layerValue({ protocols, tokens: "none" }), sourcesOf(noEntries)])
    )
  )

const row = {
  protocol: name,
  positionType: "other",
  contractAddress: declared,
  usdValue: null,
  holds: [{ token, symbol: null, amount: "7" }, { token, symbol: null, amount: "5" }]
} as const

describe("a protocol from another package", () => {
  it("has a name of words joined by underscores that is none of ours", () => {
    const isName = Schema.is(OutsideProtocol)
    for (const good of ["acme_vault", "a_1", "vault_2_b"]) assert.isTrue(isName(good), good)
    for (const bad of ["vault", "Acme_vault", "acme-vault", "acme_", "_acme", "1_acme", "", ...ownProtocols]) {
      assert.isFalse(isName(bad), bad)
    }
  })

  it("is in the document of the API it is registered with, and in no other", () => {
    const listed = JSON.stringify(OpenApi.fromApi(apiOf([name])))
    assert.strictEqual(listed.split(`"${name}"`).length - 1, 9)
    assert.notInclude(JSON.stringify(OpenApi.fromApi(Api)), name)
    assert.strictEqual(apiOf([]), Api)
  })

  it("shows its rows in the shapes there are, and its units are those of its rows unless it says so", () => {
    assert.deepStrictEqual(Schema.encodeSync(PositionRow)(row), row)
    assert.deepStrictEqual(Schema.decodeUnknownSync(PositionRow)(row), row)
    assert.isFalse(Schema.is(PositionRow)({ ...row, protocol: "amm_1" }))
    assert.strictEqual(unitsOf({ rows: [row] }), 12n)
    assert.strictEqual(unitsOf({ rows: [row], units: 3n }), 3n)
  })

  it.effect("is where it says, unless the contracts file names it", () =>
    Effect.gen(function*() {
      const unnamed = yield* own({ protocols: noContracts, tokens: "none" })
      assert.deepStrictEqual([unnamed.inRole("vault"), unnamed.code], [[declared], { vault: [code] }])
      const named = yield* own({
        protocols: { ...noContracts, [name]: { vault: [inFile] } },
        code: { [name]: { vault: [otherCode] } },
        tokens: "none"
      })
      assert.deepStrictEqual([named.inRole("vault"), named.code], [[inFile], { vault: [otherCode] }])
      const none = yield* own({ protocols: { ...noContracts, [name]: "none" }, tokens: "none" })
      assert.deepStrictEqual(none.inRole("vault"), [])
      const wrong = yield* Effect.exit(own({ protocols: { ...noContracts, [name]: { pool: [inFile] } }, tokens: "none" }))
      assert(Exit.isFailure(wrong))
      assert.include(Cause.pretty(wrong.cause), `${name} has no role pool`)
    }))

  it.effect("is what answers may be about only where it is registered", () =>
    Effect.gen(function*() {
      const answer = { id: `position:${name}:${declared}:share`, choice: "exit" }
      assert.deepStrictEqual((yield* answersIn([answer], null, [name])).ids, [answer.id])
      const { issues } = yield* Effect.flip(answersIn([answer]))
      assert.deepStrictEqual(issues.map(({ message }) => message), ["no decision point has this id"])
    }))

  it.effect("stops the start where a contracts file names it and no decoder is registered", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* registryOf(noContracts)).untracked, [])
      const exit = yield* Effect.exit(registryOf({ ...noContracts, [OutsideProtocol.make("other_vault")]: { vault: [inFile] } }))
      assert(Exit.isFailure(exit))
      assert.include(Cause.pretty(exit.cause), "no reader for other_vault")
    }))
})
