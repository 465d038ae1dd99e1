import { assert, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { sha256 } from "../../../src/ledger/Signatures.ts"
import { contractAddress, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { lendingContracts } from "../../../src/sandbox/scenarios/LendingContracts.ts"
import { asked, laterLedger, lendingService, pursued } from "../../sandbox/contracts/ProtocolsServed.ts"
import { jumping } from "../../support/JumpingClock.ts"
import { layer } from "../../support/Layered.ts"
import { LendingDebt } from "../../support/scenarios/LendingDebt.ts"
import { LendingSupply } from "../../support/scenarios/LendingSupply.ts"
import { altering } from "../support/AlteredEntries.ts"
import { answersTo } from "../support/Answering.ts"
import { offered, plan, refusal } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { decoded, signed } from "../support/Signing.ts"
import { Sources, sourcesService } from "../support/Sources.ts"
import { byReference, keepingCode, nameKeyOf, withCode } from "./support/ByReference.ts"

const { pool } = lendingContracts

/** A contract that keeps the code of others. */
const owner = contractAddress(new xdr.ContractId(sha256(Buffer.from("an owner of code"))))
const unknownCode = sha256(Buffer.from("code that nobody knows"))

const nameKey = nameKeyOf(owner).toXdr("base64")

const footprintIn = (envelope: xdr.TransactionEnvelope) => {
  const ext = envelope.type === "envelopeTypeTx" ? envelope.v1.tx.ext : null
  if (ext?.type !== "sorobanData") throw new Error("no contract call")
  return ext.sorobanData.resources.footprint
}

it.scopedLive("a pool that runs by reference is read through, left with its code pinned, and its owner's power is told", () =>
  Effect.gen(function*() {
    const held = yield* asked(
      Effect.tap(LendingSupply, () => Effect.flatMap(Network, ({ amend }) => amend((state) => byReference(state, pool, owner))))
    )
    const warned = held.plan.warnings.filter(({ code }) => code === "code_by_reference")
    assert.deepStrictEqual(warned.map(({ subject }) => subject), [strkeyOf(pool)])
    assert.deepStrictEqual(held.plan.blockers, [])
    const offer = yield* offered({ ...held.request, decisions: answersTo(held.plan, "convert_to_native") })
    const footprint = footprintIn((yield* decoded(offer)).toEnvelope())
    assert.include(footprint.readOnly.map((key) => key.toXdr("base64")), nameKey)
    assert.notInclude(footprint.readWrite.map((key) => key.toXdr("base64")), nameKey)
    const { covered } = yield* pursued(held)
    assert.strictEqual(covered[0], "EXIT_POSITIONS")
    assert.isNull(yield* accountOf(held.source))
  }).pipe(Effect.provide(lendingService)))

it.scopedLive("code that its owner changed to something unknown is not called, and what was built before fails", () =>
  Effect.gen(function*() {
    const { call, on, sandbox } = yield* Service
    const scene = yield* on(LendingSupply)
    yield* sandbox.amend((state) => byReference(state, pool, owner))
    yield* laterLedger
    const request = { source: scene.source.publicKey(), destination: scene.destination.publicKey() }
    const decisions = answersTo(yield* plan(request), "convert_to_native")
    const before = yield* signed(yield* offered({ ...request, decisions }), scene.source)
    yield* sandbox.amend((state) => keepingCode(state, owner, unknownCode))
    yield* laterLedger
    const { status } = yield* call("POST", "/v1/testnet/submit", { signedXdr: before })
    assert.strictEqual(status, 422)
    const after = yield* plan(request)
    assert.include(after.blockers.map(({ reason }) => reason), "position_unrecognized")
    assert.notStrictEqual((yield* refusal("next", { ...request, decisions })).status, 200)
  }).pipe(Effect.provide(Layer.provideMerge(lendingService, jumping))))

layer(sourcesService(2, {}, ["lend_1"]), { excludeTestServices: true })(
  "of two contract RPCs one that lies about code",
  (it) => {
    it.effect("shows other code of a contract than the first: no call hands tokens over", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const held = yield* on(LendingDebt)
        yield* laterLedger
        const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
        const decisions = answersTo(yield* plan(request), "convert_to_native")
        assert.deepStrictEqual((yield* offered({ ...request, decisions })).covers, ["EXIT_POSITIONS"])
        const [, second] = yield* Sources
        const refused = yield* second!.imagining((state) => withCode(state, pool, unknownCode), refusal("next", { ...request, decisions }))
        assert.deepInclude(refused, { status: 503, code: "sources_disagree", details: { about: "contract_code" } })
      }))

    it.effect("gets no call that hands tokens over", () =>
      Effect.gen(function*() {
        const { on, sandbox } = yield* Service
        const held = yield* on(LendingDebt)
        yield* sandbox.amend((state) => byReference(state, pool, owner))
        yield* laterLedger
        const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
        const decisions = answersTo(yield* plan(request), "convert_to_native")
        assert.deepStrictEqual((yield* offered({ ...request, decisions })).covers, ["EXIT_POSITIONS"])
        const [, second] = yield* Sources
        const lie = altering(nameKeyOf(owner), (data) => ({
          data: data.type !== "contractData"
            ? data
            : xdr.LedgerEntryData.contractData(new xdr.ContractDataEntry({ ...data.contractData, val: xdr.ScVal.scvBytes(unknownCode) }))
        }))
        const refused = yield* second!.lying(lie, refusal("next", { ...request, decisions }))
        assert.deepInclude(refused, { status: 503, code: "sources_disagree", details: { about: "contract_code" } })
      }))
  }
)
