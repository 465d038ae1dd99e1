import { assert } from "@effect/vitest"
import { Account, Asset, Keypair, Memo, MuxedAccount, Operation, SorobanDataBuilder, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { Issued, Pair } from "./support/Accounts.ts"
import { coSign, offered, refusal } from "./support/Client.ts"
import { exchanges, forge, type Forged, lumensAt, twoOperations } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"

/** An account ready for its last transaction, the mediator, and the exchange that needs it. */
const scene = Effect.gen(function*() {
  const { on } = yield* Service
  const { destination: other, source } = yield* on(Pair())
  const { merges, payments } = yield* exchanges
  const { intent } = yield* offered({ source: source.publicKey(), destination: payments, memo: "customer 42" })
  const mediator = intent.guarantees.mergeDestination ?? ""
  const balance = yield* lumensAt(source.publicKey())
  return { source, other, mediator, destination: payments, merges, amount: balance - 200n }
})

type Scene = Effect.Effect.Success<typeof scene>

const muxed = (address: string): string => new MuxedAccount(new Account(address, "0"), "7").accountId()

const native = Asset.native()
const now = (): number => Math.floor(Date.now() / 1000)

const pay = ({ amount, destination, mediator }: Scene, change: Partial<Parameters<typeof Operation.payment>[0]> = {}) =>
  Operation.payment({ source: mediator, destination, asset: native, amount: (Number(amount) / 1e7).toFixed(7), ...change })

const merge = ({ mediator, source }: Scene, change: { readonly source?: string; readonly destination?: string } = {}) =>
  Operation.accountMerge({ source: source.publicKey(), destination: mediator, ...change })

/** Attacks on an envelope, each with the rule that catches it. */
const attacks: ReadonlyArray<readonly [name: string, rule: string, change: (scene: Scene) => Partial<Forged>]> = [
  ["a third operation", "two_operations", (of) => ({ operations: [merge(of), pay(of), pay(of, { amount: "1" })], fee: 300n })],
  ["the merge alone", "two_operations", (of) => ({ operations: [merge(of)], fee: 100n })],
  [
    "a merge into somebody else",
    "merge_into_mediator",
    (of) => ({ operations: [merge(of, { destination: of.other.publicKey() }), pay(of)] })
  ],
  ["no merge at all", "merge_into_mediator", (of) => ({ operations: [pay(of), pay(of)] })],
  ["the operations the other way round", "merge_into_mediator", (of) => ({ operations: [pay(of), merge(of)] })],
  [
    "a payment by the account itself",
    "payment_from_mediator",
    (of) => ({ operations: [merge(of), pay(of, { source: of.source.publicKey() })] })
  ],
  ["a payment by somebody else", "payment_from_mediator", (of) => ({ operations: [merge(of), pay(of, { source: of.other.publicKey() })] })],
  [
    "a second merge in place of the payment",
    "payment_from_mediator",
    (of) => ({ operations: [merge(of), merge(of, { source: of.mediator, destination: of.destination })] })
  ],
  [
    "the merge of somebody else",
    "source_is_closing_account",
    (of) => ({ operations: [merge(of, { source: of.other.publicKey() }), pay(of)] })
  ],
  [
    "a payment to a multiplexed address",
    "not_muxed",
    (of) => ({ operations: [merge(of), pay(of, { destination: muxed(of.destination) })] })
  ],
  ["a merge into a multiplexed mediator", "not_muxed", (of) => ({ operations: [merge(of, { destination: muxed(of.mediator) }), pay(of)] })],
  ["a multiplexed payer", "not_muxed", (of) => ({ operations: [merge(of), pay(of, { source: muxed(of.mediator) })] })],
  [
    "a least sequence number",
    "preconditions_plain",
    () => ({ shape: (builder) => builder.setTimebounds(0, now() + 200).setMinAccountSequence("0") })
  ],
  [
    "a least sequence age",
    "preconditions_plain",
    () => ({ shape: (builder) => builder.setTimebounds(0, now() + 200).setMinAccountSequenceAge(60n) })
  ],
  [
    "a least sequence gap",
    "preconditions_plain",
    () => ({ shape: (builder) => builder.setTimebounds(0, now() + 200).setMinAccountSequenceLedgerGap(2) })
  ],
  [
    "a further signer",
    "preconditions_plain",
    (of) => ({ shape: (builder) => builder.setTimebounds(0, now() + 200).setExtraSigners([of.other.publicKey()]) })
  ],
  [
    "resources of a contract call",
    "preconditions_plain",
    () => ({ shape: (builder) => builder.setTimebounds(0, now() + 200).setSorobanData(new SorobanDataBuilder().build()) })
  ],
  ["no end", "time_bounds", () => ({ shape: (builder) => builder.setTimeout(0) })],
  ["an end in the past", "time_bounds", () => ({ shape: (builder) => builder.setTimebounds(0, now() - 10) })],
  ["an end too far ahead", "time_bounds", () => ({ seconds: 600 })],
  ["a beginning that is still to come", "time_bounds", () => ({ shape: (builder) => builder.setTimebounds(now() + 200, now() + 250) })],
  ["a destination in no registry", "destination_is_registered", (of) => ({ destination: of.other.publicKey() })],
  ["an exchange that needs no mediator", "destination_is_registered", (of) => ({ destination: of.merges })],
  ["the mediator as destination", "destination_is_registered", (of) => ({ destination: of.mediator })],
  ["no memo", "memo_matches_registry", () => ({ memo: Memo.none() })],
  ["a memo of another type", "memo_matches_registry", () => ({ memo: Memo.id("42") })],
  ["a memo of blanks", "memo_matches_registry", () => ({ memo: Memo.text("  ") })],
  ["a memo of what takes no width", "memo_matches_registry", () => ({ memo: Memo.text("\u200b\u2060") })],
  ["a fee below the network's", "fee_bounded", () => ({ fee: 198n })],
  ["a huge fee", "fee_bounded", () => ({ fee: 20_002n })],
  ["one stroop too much", "amount_covered", () => ({ extra: 1n })],
  ["a hundredth of a lumen and a stroop too little", "amount_covered", () => ({ extra: -100_001n })]
]

layer(Service.layer(), { excludeTestServices: true })("the mediator does not sign", (it) => {
  for (const [name, rule, change] of attacks) {
    it.effect(`${name}: ${rule}`, () =>
      Effect.gen(function*() {
        const of = yield* scene
        const right = yield* forge(of)
        assert.isNotEmpty(yield* coSign(right.toXdr()), "the same envelope without the change is signed")
        const wrong = yield* forge({ ...of, ...change(of) })
        assert.deepInclude(yield* refusal("coSign", { transaction: wrong.toXdr() }), {
          status: 403,
          code: "mediator_refused",
          details: { rule }
        })
      }))
  }

  const refusesAfter = (name: string, rule: string, prepare: (of: Scene) => Effect.Effect<string, unknown, Service>) =>
    it.effect(`${name}: ${rule}`, () =>
      Effect.gen(function*() {
        const transaction = yield* Effect.orDie(Effect.flatMap(scene, prepare))
        assert.deepInclude(yield* refusal("coSign", { transaction }), { status: 403, code: "mediator_refused", details: { rule } })
      }))

  refusesAfter("what was signed for another network", "network", (of) =>
    Effect.gen(function*() {
      const transaction = yield* forge(of)
      const elsewhere = TransactionBuilder.fromXdr(transaction.toXdr(), "another network")
      elsewhere.sign(of.source)
      return elsewhere.toXdr()
    }))

  refusesAfter(
    "what a stranger signed",
    "network",
    (of) => Effect.map(forge(of), (transaction) => (transaction.sign(Keypair.random()), transaction.toXdr()))
  )

  refusesAfter("a fee bump around it", "not_fee_bump", (of) =>
    Effect.gen(function*() {
      const transaction = yield* forge(of)
      transaction.sign(of.source)
      return TransactionBuilder.buildFeeBumpTransaction(of.other, "200", transaction, (yield* Service).passphrase).toXdr()
    }))

  refusesAfter("another asset than lumens", "native_only", (of) =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { asset } = yield* on(Issued("USD"))
      return (yield* forge({ ...of, operations: [merge(of), pay(of, { asset })] })).toXdr()
    }))

  refusesAfter("a close of the mediator itself", "source_is_closing_account", (of) =>
    Effect.gen(function*() {
      const { passphrase, sandbox } = yield* Service
      const { state } = yield* sandbox.snapshot
      const builder = new TransactionBuilder(new Account(of.mediator, "0"), {
        fee: "100",
        networkPassphrase: passphrase,
        memo: Memo.text("customer 42")
      })
      for (const operation of twoOperations(of)) builder.addOperation(operation)
      return builder.setTimebounds(0, Number(state.header.closeTime) + 200).build().toXdr()
    }))

  refusesAfter(
    "what the mediator would pay for, signed by the account that merges",
    "source_is_closing_account",
    (of) =>
      Effect.gen(function*() {
        const { passphrase } = yield* Service
        const builder = new TransactionBuilder(new Account(of.mediator, "0"), {
          fee: "100",
          networkPassphrase: passphrase,
          memo: Memo.text("customer 42")
        })
        for (const operation of twoOperations(of)) builder.addOperation(operation)
        const transaction = builder.setTimebounds(0, now() + 200).build()
        transaction.sign(of.source)
        return transaction.toXdr()
      })
  )

  refusesAfter("a multiplexed source", "not_muxed", (of) =>
    Effect.gen(function*() {
      const { passphrase } = yield* Service
      const right = yield* forge(of)
      const source = new MuxedAccount(new Account(of.source.publicKey(), (BigInt(right.sequence) - 1n).toString()), "7")
      const builder = new TransactionBuilder(source, { fee: "100", networkPassphrase: passphrase, memo: Memo.text("customer 42") })
      for (const operation of [merge(of), pay(of)]) builder.addOperation(operation)
      return builder.setTimebounds(0, now() + 200).build().toXdr()
    }))

  refusesAfter("a skipped sequence number", "sequence_is_next", (of) =>
    Effect.gen(function*() {
      const right = yield* forge(of)
      return (yield* forge({ ...of, sequence: BigInt(right.sequence) + 1n })).toXdr()
    }))

  refusesAfter("a used sequence number", "sequence_is_next", (of) =>
    Effect.gen(function*() {
      const right = yield* forge(of)
      return (yield* forge({ ...of, sequence: BigInt(right.sequence) - 1n })).toXdr()
    }))

  refusesAfter("an account that still holds something", "account_is_empty", (of) =>
    Effect.gen(function*() {
      const { on } = yield* Service
      yield* on(perform("a data entry", { as: of.source, operations: [Operation.manageData({ name: "note", value: "x" })] }))
      return (yield* forge(of)).toXdr()
    }))

  refusesAfter("an account that pays reserves for others", "account_is_empty", (of) =>
    Effect.gen(function*() {
      const { on } = yield* Service
      yield* on(perform("a sponsored data entry", {
        as: of.source,
        signedBy: [of.source, of.other],
        operations: [
          Operation.beginSponsoringFutureReserves({ sponsoredId: of.other.publicKey() }),
          Operation.manageData({ source: of.other.publicKey(), name: "note", value: "x" }),
          Operation.endSponsoringFutureReserves({ source: of.other.publicKey() })
        ]
      }))
      return (yield* forge(of)).toXdr()
    }))

  refusesAfter("twice", "no_mediator_signature_yet", (of) => Effect.flatMap(forge(of), (transaction) => coSign(transaction.toXdr())))

  refusesAfter("what would fail on the ledger", "dry_run", (of) =>
    Effect.gen(function*() {
      const { on } = yield* Service
      yield* on(perform("the account can never be merged", { as: of.source, operations: [Operation.setOptions({ setFlags: 4 })] }))
      return (yield* forge(of)).toXdr()
    }))

  it.effect("an account that does not exist", () =>
    Effect.gen(function*() {
      const of = yield* scene
      const nobody = Keypair.random()
      const transaction = yield* forge({ ...of, source: nobody })
      assert.deepStrictEqual(yield* refusal("coSign", { transaction: transaction.toXdr() }), {
        status: 404,
        code: "not_found",
        details: { address: nobody.publicKey() },
        retry: "after_fix",
        retryAfter: null
      })
      const third = yield* forge({ ...of, source: nobody, operations: [merge({ ...of, source: nobody }), pay(of), pay(of)], fee: 300n })
      assert.deepInclude(yield* refusal("coSign", { transaction: third.toXdr() }), { status: 403, details: { rule: "two_operations" } })
    }))

  it.effect("what has no room for its signature", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const of = yield* scene
      const keys = Array.from({ length: 19 }, () => Keypair.random())
      yield* on(perform("nineteen further signers", {
        as: of.source,
        operations: keys.map((key) => Operation.setOptions({ signer: { ed25519PublicKey: key.publicKey(), weight: 1 } }))
      }))
      const transaction = yield* forge(of)
      transaction.sign(of.source, ...keys)
      const refused = yield* refusal("coSign", { transaction: transaction.toXdr() })
      assert.deepInclude(refused, { status: 400, code: "invalid_transaction" })
      assert.deepStrictEqual(refused.details, {
        reason: "The envelope has no space for the mediator's signature. Remove signatures that are not needed."
      })
    }))

  it.effect("what is no envelope", () =>
    Effect.gen(function*() {
      for (const transaction of ["", "AAAA", "not base64"]) {
        assert.deepInclude(yield* refusal("coSign", { transaction }), { status: 400, code: "invalid_transaction" })
      }
    }))

  it.effect("a secret seed that was sent along", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* refusal("coSign", { transaction: Keypair.random().secret() }), { status: 400, code: "secret_key_refused" })
    }))

  it.effect("longer than five minutes, but half an hour once the account's signers have signed", () =>
    Effect.gen(function*() {
      const of = yield* scene
      const transaction = yield* forge({ ...of, seconds: 1790 })
      assert.deepInclude(yield* refusal("coSign", { transaction: transaction.toXdr() }), { details: { rule: "time_bounds" } })
      transaction.sign(of.source)
      assert.isNotEmpty(yield* coSign(transaction.toXdr()))
      const longer = yield* forge({ ...of, seconds: 1860 })
      longer.sign(of.source)
      assert.deepInclude(yield* refusal("coSign", { transaction: longer.toXdr() }), { details: { rule: "time_bounds" } })
    }))

  it.effect("by a clock that is behind the ledger: what has ended by the ledger is refused", () =>
    Effect.gen(function*() {
      const of = yield* scene
      yield* (yield* Service).sandbox.closeLedger({ advanceSeconds: 60 })
      const ended = yield* forge({ ...of, shape: (builder) => builder.setTimebounds(0, now() + 20) })
      assert.deepInclude(yield* refusal("coSign", { transaction: ended.toXdr() }), { details: { rule: "time_bounds" } })
    }))
})
