import { assert, it } from "@effect/vitest"
import { Asset, Claimant, Keypair, LiquidityPoolAsset, Operation, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf } from "../../../src/sandbox/AssetName.ts"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { accountKey, dataKey, offerKey } from "../../../src/xdr/LedgerKeys.ts"
import { get, startWithClients } from "../Clients.ts"

it.scopedLive("whatever is sponsored names its sponsor, in each place of both APIs that can", () =>
  Effect.gen(function*() {
    const { contractRpc, ledgerApi, ledgerApiUrl, on } = yield* startWithClients()
    const [sponsor, owner, cosigner, issuer] = [Keypair.random(), Keypair.random(), Keypair.random(), Keypair.random()]
    const [s, o] = [sponsor.publicKey(), owner.publicKey()]
    yield* on(fund("100", sponsor, issuer))
    const asset = new Asset("USD", issuer.publicKey())
    yield* on(perform("sponsor everything", {
      as: sponsor,
      signedBy: [sponsor, owner],
      operations: [
        Operation.beginSponsoringFutureReserves({ sponsoredId: o }),
        Operation.createAccount({ destination: o, startingBalance: "20" }),
        Operation.changeTrust({ source: o, asset }),
        Operation.changeTrust({ source: o, asset: new LiquidityPoolAsset(Asset.native(), asset, 30) }),
        Operation.manageData({ source: o, name: "kept", value: "1" }),
        Operation.setOptions({ source: o, signer: { ed25519PublicKey: cosigner.publicKey(), weight: 1 } }),
        Operation.manageSellOffer({ source: o, selling: Asset.native(), buying: asset, amount: "1", price: "1" }),
        Operation.createClaimableBalance({ source: o, asset: Asset.native(), amount: "1", claimants: [new Claimant(s), new Claimant(o)] }),
        Operation.endSponsoringFutureReserves({ source: o })
      ]
    }))
    yield* on(perform("own things", {
      as: owner,
      operations: [
        Operation.manageData({ name: "own", value: "2" }),
        Operation.setOptions({ signer: { ed25519PublicKey: issuer.publicKey(), weight: 1 } }),
        Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "1", price: "2" }),
        Operation.createClaimableBalance({ asset: Asset.native(), amount: "2", claimants: [new Claimant(s)] })
      ]
    }))
    const account = yield* Effect.promise(() => ledgerApi.loadAccount(o))
    assert.strictEqual(account.sponsor, s)
    assert.strictEqual((yield* Effect.promise(() => ledgerApi.loadAccount(s))).num_sponsoring, 2 + 1 + 2 + 1 + 1 + 1 + 2)
    assert.deepStrictEqual([account.num_sponsored, account.num_sponsoring, account.subentry_count], [8, 1, 9])
    const sponsors = account.signers.map((signer) => [signer.key, "sponsor" in signer ? signer.sponsor : undefined]).toSorted()
    assert.deepStrictEqual(sponsors, [[o, undefined], [cosigner.publicKey(), s], [issuer.publicKey(), undefined]].toSorted())
    const lines = account.balances.map((balance) => [balance.asset_type, "sponsor" in balance ? balance.sponsor : undefined])
    assert.deepStrictEqual(lines.toSorted(), [
      ["credit_alphanum4", s],
      ["liquidity_pool_shares", undefined],
      ["native", undefined]
    ])
    const data = (name: string) => Effect.map(get(`${ledgerApiUrl}/accounts/${o}/data/${name}`), ({ text }) => JSON.parse(text).sponsor)
    assert.deepStrictEqual([yield* data("kept"), yield* data("own")], [s, undefined])

    const bySponsor = yield* Effect.promise(() => ledgerApi.accounts().sponsor(s).call())
    assert.deepStrictEqual(bySponsor.records.map(({ account_id }) => account_id), [o])
    const offers = yield* Effect.promise(() => ledgerApi.offers().seller(o).call())
    assert.deepStrictEqual(offers.records.map(({ price, sponsor }) => [price, sponsor]), [["1.0000000", s], ["2.0000000", undefined]])
    const sponsoredOffers = yield* Effect.promise(() => ledgerApi.offers().sponsor(s).call())
    assert.lengthOf(sponsoredOffers.records, 1)
    const balances = (of: string) =>
      Effect.map(
        Effect.promise(() => ledgerApi.claimableBalances().sponsor(of).call()),
        ({ records }) => records.map(({ amount }) => amount)
      )
    assert.deepStrictEqual([yield* balances(s), yield* balances(o)], [["1.0000000"], ["2.0000000"]])

    const [offer] = sponsoredOffers.records
    const { entries = [] } = yield* Effect.promise(() =>
      contractRpc._getLedgerEntries(accountKey(o), dataKey(o, "kept"), dataKey(o, "own"), offerKey(o, BigInt(offer?.id ?? 0)))
    )
    const told = (entries ?? []).map((entry) => {
      const ext = xdr.LedgerEntryExt.fromXdr("extXdr" in entry ? String(entry.extXdr) : "", "base64")
      return ext.type === "v1" && ext.v1.sponsoringId !== null ? addressOf(ext.v1.sponsoringId) : undefined
    })
    assert.deepStrictEqual(told, [s, s, undefined, s])

    yield* on(perform("give the offer back", {
      as: sponsor,
      operations: [
        Operation.revokeOfferSponsorship({ seller: o, offerId: String(offer?.id) }),
        Operation.revokeDataSponsorship({ account: o, name: "kept" })
      ]
    }))
    assert.deepStrictEqual([yield* data("kept"), (yield* Effect.promise(() => ledgerApi.offers().sponsor(s).call())).records.length], [
      undefined,
      0
    ])
  }))
