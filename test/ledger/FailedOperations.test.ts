import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import {
  allow,
  assetOf,
  begin,
  bump,
  buy,
  claim,
  claimant,
  clawBack,
  clawBackBalance,
  createAccount,
  deposit,
  end,
  merge,
  pay,
  price,
  revoke,
  sell,
  sellPassive,
  setApart,
  setData,
  setLineFlags,
  setOptions,
  setSigner,
  signerKeyOf,
  strictReceive,
  strictSend,
  trust,
  withdraw,
  xlm
} from "./support/Bodies.ts"
import { baseFee, codesOf, World } from "./support/World.ts"

describe("operations after one that failed", () => {
  it("are run all the same, and each has its own result", () => {
    const world = new World()
    const [source, other, gone] = [world.account(), world.account(), world.account()]
    world.succeed(gone, [merge(other)])
    const before = world.get(source).balance
    const applied = world.apply(source, [
      pay(other, xlm, before),
      setData("name", "value"),
      pay(gone, xlm, 1n),
      setData("missing", null),
      pay(other, xlm, 1n)
    ])
    assert.deepStrictEqual(codesOf(applied), [
      "txFailed",
      "paymentUnderfunded",
      "manageDataSuccess",
      "paymentNoDestination",
      "manageDataNameNotFound",
      "paymentSuccess"
    ])
    assert.isFalse(world.hasData(source, "name"))
    assert.strictEqual(world.get(source).balance, before - 5n * baseFee)
  })

  it("see what those before them did, and nothing of one that failed", () => {
    const world = new World()
    const [issuer, maker, source] = [world.account(), world.account(), world.account()]
    const usd = assetOf(issuer)
    world.succeed(issuer, [[source, trust(usd)], [maker, trust(usd)], pay(source, usd, 100n)])
    world.succeed(maker, [sell(xlm, usd, 100n, price(1, 1))])
    // The conversion takes the dollars and the offer before it fails on the minimum.
    const [convert, failing] = [strictSend(source, usd, 100n, xlm, 100n), strictSend(source, usd, 100n, xlm, 101n)]
    const failed = codesOf(world.apply(source, [failing, convert, failing, trust(usd, 0n), setData("missing", null)]))
    assert.deepStrictEqual(failed, [
      "txFailed",
      "pathPaymentStrictSendUnderDestmin",
      "pathPaymentStrictSendSuccess",
      "pathPaymentStrictSendUnderfunded",
      "changeTrustSuccess",
      "manageDataNameNotFound"
    ])
    assert.deepStrictEqual([world.line(source, usd)?.balance, world.offer(maker, 1n)?.amount], [100n, 100n])
  })

  it("a merge that succeeds leaves no account to those after it, though all of them are undone", () => {
    const world = new World()
    const [source, other] = [world.account(), world.account()]
    const applied = world.apply(source, [merge(other), setData("name", "value"), setSigner(signerKeyOf(other), 1)])
    assert.deepStrictEqual(codesOf(applied), ["txFailed", "accountMergeSuccess", "opNoAccount", "opNoAccount"])
    assert.isDefined(world.find(source))
  })
})

describe("operations beside one that fails its check", () => {
  it("have the success code of their kind, over zeros", () => {
    const world = new World()
    const [source, other] = [world.account(), world.account()]
    const [own, usd, one] = [assetOf(source), assetOf(other), price(1, 1)]
    const balanceId = xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(new Uint8Array(32))
    const rows: ReadonlyArray<readonly [body: xdr.OperationBody, code: string]> = [
      [createAccount(other, 1n), "createAccountSuccess"],
      [pay(other, xlm, 1n), "paymentSuccess"],
      [strictReceive(other, usd, 1n, xlm, 1n), "pathPaymentStrictReceiveSuccess"],
      [sell(usd, xlm, 1n, one), "manageSellOfferSuccess"],
      [sellPassive(usd, xlm, 1n, one), "manageSellOfferSuccess"],
      [setOptions({}), "setOptionsSuccess"],
      [trust(usd), "changeTrustSuccess"],
      [allow(other, "USD", 1), "allowTrustSuccess"],
      [merge(other), "accountMergeSuccess"],
      [xdr.OperationBody.inflation(), "inflationSuccess"],
      [setData("name", "value"), "manageDataSuccess"],
      [bump(1n), "bumpSequenceSuccess"],
      [buy(usd, xlm, 1n, one), "manageBuyOfferSuccess"],
      [strictSend(other, usd, 1n, xlm, 1n), "pathPaymentStrictSendSuccess"],
      [setApart(xlm, 1n, claimant(other)), "createClaimableBalanceSuccess"],
      [claim(balanceId), "claimClaimableBalanceSuccess"],
      [begin(other), "beginSponsoringFutureReservesSuccess"],
      [end(), "endSponsoringFutureReservesSuccess"],
      [revoke(accountKey(source.publicKey())), "revokeSponsorshipSuccess"],
      [clawBack(other, own, 1n), "clawbackSuccess"],
      [clawBackBalance(balanceId), "clawbackClaimableBalanceSuccess"],
      [setLineFlags(other, own, 1, 0), "setTrustLineFlagsSuccess"],
      [deposit(xlm, usd, 1n, 1n), "liquidityPoolDepositSuccess"],
      [withdraw(xlm, usd, 1n), "liquidityPoolWithdrawSuccess"]
    ]
    const steps = [pay(other, xlm, 0n), ...rows.map(([body]) => body)]
    assert.deepStrictEqual(world.check(source, steps), ["txFailed", "paymentMalformed", ...rows.map(([, code]) => code)])
  })
})
