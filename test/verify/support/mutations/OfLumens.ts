import { xdr } from "@stellar/stellar-sdk"
import type { Held } from "../../../../src/operations/Expected.ts"
import { type Case, changed, hostile, inOne, type Mutation, placesOf, replaced, txOf } from "../Case.ts"
import { accountNamed, muxed, strangeAsset, stranger, strangerAccount, strangerId, unmuxed } from "../Strangers.ts"

const isMediated = ({ expected: { mediator } }: Case): boolean => mediator !== undefined

/** The payment of a mediator, changed. */
const mediated = (change: (payment: xdr.PaymentOp, one: Case) => Partial<ConstructorParameters<typeof xdr.PaymentOp>[0]>): Mutation["of"] =>
  inOne(
    "payment",
    (body, one) =>
      isMediated(one) ? xdr.OperationBody.payment(new xdr.PaymentOp({ ...body.paymentOp, ...change(body.paymentOp, one) })) : null
  )

/** A payment by decision, changed. */
const decided = (change: (payment: xdr.PaymentOp, one: Case) => Partial<ConstructorParameters<typeof xdr.PaymentOp>[0]>): Mutation["of"] =>
  inOne(
    "payment",
    (body, one) =>
      isMediated(one) ? null : xdr.OperationBody.payment(new xdr.PaymentOp({ ...body.paymentOp, ...change(body.paymentOp, one) }))
  )

const merged = (to: (merge: xdr.MuxedAccount, one: Case) => xdr.MuxedAccount | null): Mutation["of"] =>
  inOne("accountMerge", (body, one) => {
    const destination = to(body.destination, one)
    return destination === null ? null : xdr.OperationBody.accountMerge(destination)
  })

/** One more holding in the caller's read, which no decision gives up. */
const holding = (more: Held): Mutation["of"] => ({ expected, ...one }) =>
  placesOf({ expected, ...one }, "accountMerge").length === 0 || expected.decisions.some(({ id }) => id.endsWith(":others"))
    ? null
    : { expected: { ...expected, phase: { held: [...expected.phase.held, more] } } }

/** The destinations of lumens and assets. */
export const ofLumens: ReadonlyArray<Mutation> = [
  hostile("the merge into a stranger", merged(() => strangerAccount)),
  hostile("the merge into a customer number", merged(muxed)),
  hostile("the merge without its customer number", merged(unmuxed)),
  hostile(
    "a memo expected beside a customer number",
    ({ expected }) => expected.destination.startsWith("M") ? { expected: { ...expected, memo: { type: "id", value: "7" } } } : null
  ),
  hostile(
    "a merge past the mediator",
    merged((_, { expected: { destination, mediator } }) => mediator === undefined ? null : accountNamed(destination))
  ),
  hostile("the merge before what should come first", (one) => {
    const { operations } = txOf(one)
    const merge = operations.find(({ body }) => body.type === "accountMerge")
    return merge === undefined || operations.length === 1 || isMediated(one)
      ? null
      : changed(one, { operations: [merge, ...operations.filter((other) => other !== merge)] })
  }),
  hostile("the merge twice", (one) => {
    const [place] = placesOf(one, "accountMerge")
    return place === undefined ? null : replaced(one, place.at, place.operation, place.operation)
  }),
  hostile("no mediator expected", (one) => {
    const { mediator: _, ...expected } = one.expected
    return isMediated(one) ? { expected } : null
  }),
  hostile("a mediator expected", (one) =>
    isMediated(one) || placesOf(one, "accountMerge").length === 0 ? null : {
      expected: { ...one.expected, mediator: { address: stranger, memoType: "none" } }
    }),
  hostile(
    "the payment before the merge that pays it",
    (one) => isMediated(one) && placesOf(one, "payment").length > 0 ? changed(one, { operations: txOf(one).operations.toReversed() }) : null
  ),
  hostile(
    "a mediator that pays nothing on",
    (one) => isMediated(one) && placesOf(one, "payment").length > 0 ? changed(one, { operations: txOf(one).operations.slice(0, 1) }) : null
  ),
  hostile(
    "the mediator's payment a stroop lower",
    mediated(({ amount }, { expected, envelope }) => ({
      amount: amount - 1n - (amount - (expected.balanceStroops - BigInt(txOf({ envelope }).fee)))
    }))
  ),
  hostile("the mediator's payment halved", mediated(({ amount }) => ({ amount: amount / 2n }))),
  hostile("the mediator's payment a single stroop", mediated(() => ({ amount: 1n }))),
  hostile("the mediator's payment to a stranger", mediated(() => ({ destination: strangerAccount }))),
  hostile("the mediator's payment to a customer number", mediated(({ destination }) => ({ destination: muxed(destination) }))),
  hostile("the mediator's payment in another asset", mediated(() => ({ asset: strangeAsset }))),
  hostile("the mediator's payment from somebody else", (one) => {
    const [place] = placesOf(one, "payment")
    return place === undefined || !isMediated(one)
      ? null
      : replaced(one, place.at, new xdr.Operation({ sourceAccount: strangerAccount, body: place.body }))
  }),
  hostile("the mediator's payment from the account itself", (one) => {
    const [place] = placesOf(one, "payment")
    return place === undefined || !isMediated(one)
      ? null
      : replaced(one, place.at, new xdr.Operation({ sourceAccount: accountNamed(one.expected.source), body: place.body }))
  }),
  hostile(
    "more lumens than the mediator pays on",
    (one) =>
      isMediated(one) && placesOf(one, "payment").length > 0
        ? { expected: { ...one.expected, balanceStroops: one.expected.balanceStroops + 10_000_000n } }
        : null
  ),
  hostile("a payment to a stranger", decided(() => ({ destination: strangerAccount }))),
  hostile("a payment to a customer number", decided(({ destination }) => ({ destination: muxed(destination) }))),
  hostile(
    "a payment in lumens",
    decided(({ asset }) => ({ asset: asset.type === "assetTypeNative" ? strangeAsset : xdr.Asset.assetTypeNative() }))
  ),
  hostile("a payment in a strange asset", decided(() => ({ asset: strangeAsset }))),
  hostile("a payment of more than was decided", (one) => {
    const isBounded = ({ choice, params }: Case["expected"]["decisions"][number]): boolean =>
      params?.maxAmount !== undefined && (choice === "transfer_to_account" || choice === "return_to_issuer")
    return isMediated(one) || placesOf(one, "payment").length === 0 || !one.expected.decisions.some(isBounded) ? null : {
      expected: {
        ...one.expected,
        decisions: one.expected.decisions.map((
          decision
        ) => (isBounded(decision) ? { ...decision, params: { ...decision.params, maxAmount: "0.0000001" } } : decision))
      }
    }
  }),
  hostile(
    "a payment nobody decided",
    (one) => placesOf(one, "payment").length > 0 && !isMediated(one) ? { expected: { ...one.expected, decisions: [] } } : null
  ),
  hostile("a claim left behind", holding({ id: `claim:00000000${"ab".repeat(32)}`, asset: "native" })),
  hostile("a position left behind", holding({ id: "position:lend_1:CAJJZSGMMM3PD7N33TAPHGBUGTB43OC73HVIK2L2G6BNGGGYOSSYBXBD:pool" })),
  hostile("a token left behind", holding({ id: "token:CAJJZSGMMM3PD7N33TAPHGBUGTB43OC73HVIK2L2G6BNGGGYOSSYBXBD" })),
  hostile("more given up than was decided", (one) => {
    const id = "token:CAJJZSGMMM3PD7N33TAPHGBUGTB43OC73HVIK2L2G6BNGGGYOSSYBXBD"
    return placesOf(one, "accountMerge").length === 0 ? null : {
      expected: {
        ...one.expected,
        decisions: [...one.expected.decisions, { id, choice: "acknowledge_residue", params: { maxAmount: "99" } }],
        phase: { held: [{ id, amount: 100n }] }
      }
    }
  }),
  hostile("a top-up without the end of a sponsorship", (one) => {
    const { operations } = txOf(one)
    const isToppedUp = one.expected.decisions.some(({ choice }) => choice === "top_up_then_revoke") && placesOf(one, "payment").length > 0
    return isToppedUp ? changed(one, { operations: operations.filter(({ body }) => body.type !== "revokeSponsorship") }) : null
  }),
  hostile("a sponsor that nobody chose", (one) => {
    const [place] = placesOf(one, "beginSponsoringFutureReserves")
    return place === undefined ? null : replaced(one, place.at, new xdr.Operation({ sourceAccount: strangerAccount, body: place.body }))
  }),
  hostile(
    "a stranger sponsored",
    inOne(
      "beginSponsoringFutureReserves",
      () => xdr.OperationBody.beginSponsoringFutureReserves(new xdr.BeginSponsoringFutureReservesOp({ sponsoredId: strangerId }))
    )
  ),
  hostile("a sponsorship that does not end", (one) => {
    const [place] = placesOf(one, "endSponsoringFutureReserves")
    return place === undefined ? null : replaced(one, place.at)
  }),
  hostile("a sponsorship ended that was to be handed over", (one) => {
    const [place] = placesOf(one, "beginSponsoringFutureReserves")
    return place === undefined
      ? null
      : changed(one, {
        operations: txOf(one).operations.filter(({ body }) =>
          body.type !== "beginSponsoringFutureReserves" && body.type !== "endSponsoringFutureReserves"
        )
      })
  })
]
