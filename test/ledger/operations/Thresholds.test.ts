import { assert, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { accountKey } from "../../../src/xdr/LedgerKeys.ts"
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
} from "../support/Bodies.ts"
import { idOf, World } from "../support/World.ts"

it("every classic operation needs the threshold of its kind from its source", () => {
  const world = new World()
  const [payer, source, other] = [world.account(), world.account(), world.account()]
  const levels = ["low", "medium", "high"] as const
  // The source of the transaction is another account: its low threshold is not that of the operation.
  const signers = [1, 2, 3, 4].map((weight) => [Keypair.random(), weight] as const)
  world.succeed(source, signers.map(([pair, weight]) => setSigner(signerKeyOf(pair), weight)))
  world.succeed(source, [setOptions({ lowThreshold: 2, medThreshold: 3, highThreshold: 4 })])
  const levelOf = (body: xdr.OperationBody) => {
    const enough = signers.findIndex(([signer]) =>
      world.check(payer, [[source, body]], { signers: [payer, signer] })?.at(-1) !== "opBadAuth"
    )
    return levels[enough - 1]
  }

  const [own, usd, one] = [assetOf(source), assetOf(other), price(1, 1)]
  const balanceId = xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(new Uint8Array(32))
  const needed = {
    low: [claim(balanceId), bump(1n), allow(other, "USD", 1), setLineFlags(other, own, 1, 0)],
    medium: [
      createAccount(other, 1n),
      pay(other, xlm, 1n),
      strictReceive(other, usd, 1n, xlm, 1n),
      strictSend(other, usd, 1n, xlm, 1n),
      sell(usd, xlm, 1n, one),
      buy(usd, xlm, 1n, one),
      sellPassive(usd, xlm, 1n, one),
      trust(usd),
      setData("name", "value"),
      setApart(xlm, 1n, claimant(other)),
      begin(other),
      end(),
      revoke(accountKey(source.publicKey())),
      clawBack(other, own, 1n),
      clawBackBalance(balanceId),
      deposit(xlm, usd, 1n, 1n),
      withdraw(xlm, usd, 1n),
      setOptions({ setFlags: 1 }),
      setOptions({ clearFlags: 1 }),
      setOptions({ homeDomain: "" }),
      setOptions({ inflationDest: idOf(other) })
    ],
    high: [
      merge(other),
      setOptions({ masterWeight: 0 }),
      setOptions({ lowThreshold: 0 }),
      setOptions({ medThreshold: 0 }),
      setOptions({ highThreshold: 0 }),
      setSigner(signerKeyOf(other), 0)
    ]
  }
  for (const level of levels) {
    for (const body of needed[level]) assert.strictEqual(levelOf(body), level, JSON.stringify(body.toJson()))
  }
})
