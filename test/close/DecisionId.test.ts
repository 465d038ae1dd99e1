import { assert, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Option } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root, sourcesIn } from "../../scripts/sources.ts"
import { DecisionId, type DecisionSubject, subjectOf, subjectTag } from "../../src/close/situation/DecisionId.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { AssetId, native } from "../../src/domain/Asset.ts"
import { BalanceId, PoolId } from "../../src/domain/Ledger.ts"
import { anyContract } from "../support/Addresses.ts"

const address = AccountAddress.make(Keypair.random().publicKey())
const contract = anyContract()
const hex = "ab".repeat(32)
const asset = AssetId.make(`USD:${address}`)
const balanceId = BalanceId.make(`00000000${hex}`)

/** One subject of every kind, with its id as the wire has it: without a kind this does not compile. */
const spelled: { readonly [Kind in DecisionSubject["_tag"]]: readonly [Extract<DecisionSubject, { _tag: Kind }>, string] } = {
  destination: [{ _tag: "destination", address }, `destination:${address}`],
  issuer: [{ _tag: "issuer", address }, `issuer:${address}`],
  asset: [{ _tag: "asset", asset }, `asset:USD-${address}`],
  assets_unsellable: [{ _tag: "assets_unsellable" }, "assets:unsellable"],
  claims: [{ _tag: "claims", asset: native }, "claims:native"],
  claim: [{ _tag: "claim", balanceId }, `claim:00000000${hex}`],
  claims_others: [{ _tag: "claims_others" }, "claims:others"],
  claims_unread: [{ _tag: "claims_unread" }, "claims_unread"],
  pool: [{ _tag: "pool", poolId: PoolId.make(hex) }, `pool:${hex}`],
  token: [{ _tag: "token", contract }, `token:${contract}`],
  tokens_others: [{ _tag: "tokens_others" }, "tokens:others"],
  position: [{ _tag: "position", protocol: "lend_1", contract, key: "a:b" }, `position:lend_1:${contract}:a:b`],
  positions: [{ _tag: "positions", protocol: "amm_2" }, "positions:amm_2"],
  positions_others: [{ _tag: "positions_others" }, "positions:others"],
  positions_unread: [{ _tag: "positions_unread", protocol: "cdp_1" }, "positions_unread:cdp_1"],
  allowance: [{ _tag: "allowance", token: contract, spender: address }, `allowance:${contract}:${address}`],
  sponsorship: [{ _tag: "sponsorship", target: `data_entry:${address}:a\n:b` }, `sponsorship:data_entry:${address}:a\n:b`],
  later: [{ _tag: "later" }, "later"]
}

it("an id says what it is about, and is made of it again", () => {
  for (const [subject, id] of Object.values(spelled)) {
    assert.strictEqual(DecisionId.of(subject), id)
    assert.deepStrictEqual(subjectOf(id), Option.some(subject))
    assert.strictEqual(subjectTag(id), subject._tag)
  }
})

it("another spelling of a subject is no id", () => {
  const none = [
    "",
    "destination",
    `destination:${contract}`,
    "asset:native",
    "assets",
    "assets:others",
    `asset:USD:${address}`,
    `claims:USD:${address}`,
    "later:",
    "later:1",
    "claims_unread:1",
    `claim:${hex}`,
    `pool:${hex.toUpperCase()}`,
    "position:lend_1",
    `position:lend_1:${contract}`,
    `position:lend2:${contract}:0`,
    `position:lend_1:${address}:0`,
    "positions:lend_1:0",
    "positions_unread:lend_1:0",
    `allowance:${contract}`,
    `allowance:${contract}:somebody`,
    "sponsorship:account:",
    "sponsorship:thing:1"
  ]
  for (const id of none) assert.isNull(subjectTag(id), id)
})

it("ids are written in one file", () => {
  const prefixes = Object.values(spelled).flatMap(([, id]) => (id.includes(":") ? [id.slice(0, id.indexOf(":") + 1)] : []))
  const written = new RegExp(`[\`"'](${[...new Set(prefixes)].join("|")})`)
  const writers = sourcesIn("src/close").map(({ path }) => path).filter((path) => {
    const code = readFileSync(join(root, path), "utf8").split("\n").filter((line) => !/^\s*(\*|\/\*|\/\/)/.test(line))
    return code.some((line) => written.test(line))
  })
  assert.deepStrictEqual(writers, ["src/close/situation/DecisionId.ts"])
})
