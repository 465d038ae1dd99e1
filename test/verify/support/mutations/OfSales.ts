import { xdr } from "@stellar/stellar-sdk"
import { showAmount } from "../../../../src/domain/Amount.ts"
import { dashed } from "../../../../src/domain/Asset.ts"
import { parseTotal } from "../../../../src/domain/Total.ts"
import { assetIdOf } from "../../../../src/stellar/Assets.ts"
import { type Case, harmless, hostile, inOne, isContent, type Mutation, placesOf } from "../Case.ts"
import { strangeAsset, strangerAccount } from "../Strangers.ts"

type Sale = ConstructorParameters<typeof xdr.PathPaymentStrictSendOp>[0]
type Purchase = ConstructorParameters<typeof xdr.PathPaymentStrictReceiveOp>[0]

const sold = (change: (sale: xdr.PathPaymentStrictSendOp, one: Case) => Partial<Sale>): Mutation["of"] =>
  inOne("pathPaymentStrictSend", (body, one) =>
    xdr.OperationBody.pathPaymentStrictSend(
      new xdr.PathPaymentStrictSendOp({ ...body.pathPaymentStrictSendOp, ...change(body.pathPaymentStrictSendOp, one) })
    ))

const bought = (change: (purchase: xdr.PathPaymentStrictReceiveOp, one: Case) => Partial<Purchase>): Mutation["of"] =>
  inOne("pathPaymentStrictReceive", (body, one) =>
    xdr.OperationBody.pathPaymentStrictReceive(
      new xdr.PathPaymentStrictReceiveOp({ ...body.pathPaymentStrictReceiveOp, ...change(body.pathPaymentStrictReceiveOp, one) })
    ))

const sells = (one: Case): boolean => placesOf(one, "pathPaymentStrictSend").length > 0

const withDecisions = (one: Case, change: (decision: Case["expected"]["decisions"][number]) => Case["expected"]["decisions"][number]) => ({
  expected: { ...one.expected, decisions: one.expected.decisions.map(change) }
})

const withdrawn = (
  change: (op: xdr.LiquidityPoolWithdrawOp) => Partial<ConstructorParameters<typeof xdr.LiquidityPoolWithdrawOp>[0]>
): Mutation["of"] =>
  inOne(
    "liquidityPoolWithdraw",
    ({ liquidityPoolWithdrawOp: op }, { expected }) =>
      expected.decisions.some(({ id }) => id.startsWith("pool:"))
        ? null
        : xdr.OperationBody.liquidityPoolWithdraw(new xdr.LiquidityPoolWithdrawOp({ ...op, ...change(op) }))
  )

const alphanum = (asset: xdr.Asset): xdr.AlphaNum4 => {
  if (asset.type !== "assetTypeCreditAlphanum4") throw new Error("the strange asset has a short code")
  return asset.alphaNum4
}

const tenth = (amount: string): string => showAmount((parseTotal(amount) ?? 0n) / 10n)

/** The prices of sales and purchases. */
export const ofSales: ReadonlyArray<Mutation> = [
  hostile(
    "a sale for a single stroop",
    // A caller with exactly that minimum accepts it.
    (one, choose) => (isContent(one.expected) ? null : sold(() => ({ destMin: 1n }))(one, choose))
  ),
  hostile("a sale for nothing", sold(() => ({ destMin: 0n }))),
  hostile("a sale for a stroop less than agreed", (one) => {
    const floors = Object.fromEntries(
      placesOf(one, "pathPaymentStrictSend").flatMap(({ body }) => {
        const { destMin, sendAsset } = body.pathPaymentStrictSendOp
        const id = one.expected.decisions.find(({ id: of }) => of === `asset:${dashed(assetIdOf(sendAsset))}`)?.id
        return id === undefined ? [] : [[id, destMin + 1n]]
      })
    )
    return sells(one) && Object.keys(floors).length > 0 ? { expected: { ...one.expected, floors } } : null
  }),
  hostile("a sale into a stranger's hands", sold(() => ({ destination: strangerAccount }))),
  hostile("a sale for a strange asset", sold(() => ({ destAsset: strangeAsset }))),
  hostile("a sale of a strange asset", sold(() => ({ sendAsset: strangeAsset }))),
  hostile("a sale of lumens", sold(() => ({ sendAsset: xdr.Asset.assetTypeNative() }))),
  hostile("a sale of nothing", sold(() => ({ sendAmount: 0n }))),
  hostile("a sale below zero", sold(() => ({ sendAmount: -5n }))),
  hostile("a sale that nobody decided", (one) => sells(one) ? { expected: { ...one.expected, decisions: [], floors: {} } } : null),
  hostile("a sale of what was to be returned", (one) =>
    sells(one)
      ? withDecisions(one, (decision) =>
        decision.id.startsWith("asset:")
          ? { id: decision.id, choice: "return_to_issuer", params: { maxAmount: "922337203685" } }
          : decision)
      : null),
  hostile("a sale without any floor", (one) =>
    sells(one)
      ? { expected: { ...one.expected, floors: {}, decisions: one.expected.decisions.map(({ choice, id }) => ({ id, choice })) } }
      : null),
  hostile("a sale of more than was decided", (one) =>
    sells(one)
      ? withDecisions(one, (decision) =>
        decision.id.startsWith("asset:") ? { ...decision, params: { ...decision.params, maxAmount: "0.0000001" } } : decision)
      : null),
  hostile(
    "a sale of ten times what its floor was made for",
    (one) =>
      sells(one) && Object.keys(one.expected.floors).length === 0
        ? withDecisions(one, (decision) =>
          decision.params?.amount === undefined || decision.params.minReceive === undefined
            ? decision
            : { ...decision, params: { ...decision.params, amount: tenth(decision.params.amount) } })
        : null
  ),
  harmless("a sale for more", sold(({ destMin }) => ({ destMin: destMin + 1n }))),
  harmless("a sale through another asset", sold(({ path }) => ({ path: path.length < 5 ? [...path, strangeAsset] : [] }))),
  hostile("a purchase for more than was decided", bought(() => ({ sendMax: 9_223_372_036_854_775_807n }))),
  hostile("a purchase of a strange asset", bought(() => ({ destAsset: strangeAsset }))),
  hostile("a purchase with a strange asset", bought(() => ({ sendAsset: strangeAsset }))),
  hostile("a purchase into a stranger's hands", bought(() => ({ destination: strangerAccount }))),
  hostile("a purchase of nothing", bought(() => ({ destAmount: 0n }))),
  hostile("a purchase of what nothing owes", (one) =>
    placesOf(one, "pathPaymentStrictReceive").length > 0
      ? { expected: { ...one.expected, phase: { held: one.expected.phase.held.map(({ id }) => ({ id })) } } }
      : null),
  harmless("a purchase through another asset", bought(({ path }) => ({ path: path.length < 5 ? [...path, strangeAsset] : [] }))),
  hostile("shares of a pool for nothing of either", withdrawn(() => ({ minAmountA: 0n, minAmountB: 0n }))),
  hostile("shares of a pool for nothing of one side", withdrawn(() => ({ minAmountA: 0n }))),
  hostile("no shares of a pool", withdrawn(() => ({ amount: 0n }))),
  hostile(
    "an offer kept and enlarged",
    inOne(
      "manageSellOffer",
      ({ manageSellOfferOp: op }) => xdr.OperationBody.manageSellOffer(new xdr.ManageSellOfferOp({ ...op, amount: 1n }))
    )
  ),
  hostile(
    "a new offer in place of a cancelled one",
    inOne(
      "manageSellOffer",
      ({ manageSellOfferOp: op }) => xdr.OperationBody.manageSellOffer(new xdr.ManageSellOfferOp({ ...op, offerId: 0n, amount: 5n }))
    )
  ),
  hostile(
    "a cancelled offer at another price",
    inOne(
      "manageSellOffer",
      ({ manageSellOfferOp: op }) =>
        xdr.OperationBody.manageSellOffer(new xdr.ManageSellOfferOp({ ...op, price: new xdr.Price({ n: 7, d: 3 }) }))
    )
  ),
  hostile(
    "a data entry written over",
    inOne(
      "manageData",
      ({ manageDataOp: op }) => xdr.OperationBody.manageData(new xdr.ManageDataOp({ ...op, dataValue: Buffer.from("evil") }))
    )
  ),
  hostile(
    "a removed line opened wide to a strange asset",
    inOne("changeTrust", ({ changeTrustOp: op }) =>
      xdr.OperationBody.changeTrust(
        new xdr.ChangeTrustOp({
          ...op,
          line: xdr.ChangeTrustAsset.assetTypeCreditAlphanum4(alphanum(strangeAsset)),
          limit: 9_223_372_036_854_775_807n
        })
      ))
  ),
  hostile(
    "a line with a limit below zero",
    inOne("changeTrust", ({ changeTrustOp: op }) => xdr.OperationBody.changeTrust(new xdr.ChangeTrustOp({ ...op, limit: -1n })))
  ),
  hostile(
    "another balance claimed",
    inOne(
      "claimClaimableBalance",
      (_, { expected }) =>
        expected.decisions.some(({ choice, id }) => id.startsWith("claims:") && choice !== "forfeit")
          ? null
          : xdr.OperationBody.claimClaimableBalance(
            new xdr.ClaimClaimableBalanceOp({ balanceId: xdr.ClaimableBalanceId.fromXdr(`00000000${"ee".repeat(32)}`, "hex") })
          )
    )
  ),
  hostile("a claim of what was to be left", (one) => {
    const ids = placesOf(one, "claimClaimableBalance").map(({ body }) => `claim:${body.claimClaimableBalanceOp.balanceId.toXdr("hex")}`)
    const others = one.expected.decisions.filter(({ id }) => !ids.includes(id))
    return ids.length === 0
      ? null
      : { expected: { ...one.expected, decisions: [...others, ...ids.map((id) => ({ id, choice: "forfeit" }))] } }
  })
]
