import { xdr } from "@stellar/stellar-sdk"
import { keyOfTrustline } from "../../xdr/LedgerKeys.ts"
import { isIssuer, isNative, issuerOf, isValidAsset, lineAsset } from "../Asset.ts"
import type { Draft } from "../Draft.ts"
import { AccountFlag, hasFlag } from "../entries/Account.ts"
import { newEntry } from "../entries/LedgerEntry.ts"
import {
  isPoolShare,
  lineLiabilities,
  mayMaintainLiabilities,
  poolUseCount,
  TrustlineFlag,
  withLine,
  withPoolUseCount
} from "../entries/Trustline.ts"
import { withReserves } from "../exchange/Pool.ts"
import { type LoadedTrustline, loadPool, loadTrustline, peekAccount } from "../Loaded.ts"
import { type ApplyContext, defineOperation, type FailureName, type Verdict } from "../Operation.ts"
import { releasePoolUse } from "../PoolShares.ts"
import { admitEntry, releaseEntry } from "../Sponsorship.ts"

/** Creates a trustline, changes its limit, or (limit 0) deletes it. A pool-share line makes and unmakes its pool. */
export const ChangeTrust = defineOperation({
  kind: "changeTrust",
  codes: xdr.ChangeTrustResult,
  threshold: "medium",
  check: ({ changeTrustOp: { limit, line } }, { source }) =>
    limit < 0n || !isValidAsset(line) || isNative(line) || isIssuer(source, line)
      ? "malformed"
      : undefined,
  apply: ({ changeTrustOp: op }, context) => {
    const asset = lineAsset(op.line)
    const line = loadTrustline(context.draft, context.source, asset)
    if (line === undefined) return op.limit === 0n ? "invalidLimit" : create(op, asset, context)
    if (op.limit < line.current.balance + lineLiabilities(line.current).buying) return "invalidLimit"
    return op.limit === 0n ? remove(op, line, context) : changeLimit(op, line, context)
  },
  touchesFrozen: ({ changeTrustOp: { line } }, { source }, frozen) =>
    line.type !== "assetTypePoolShare" &&
    frozen.hasKey(keyOfTrustline(source, lineAsset(line)))
})

const changeLimit = (op: xdr.ChangeTrustOp, line: LoadedTrustline, { draft }: ApplyContext): Verdict<"changeTrust"> => {
  const issuer = issuerOf(op.line)
  if (issuer !== undefined && peekAccount(draft, issuer) === undefined) return "noIssuer"
  line.set(withLine(line.current, { limit: op.limit }))
  return "success"
}

const remove = (op: xdr.ChangeTrustOp, line: LoadedTrustline, { draft, source }: ApplyContext): Verdict<"changeTrust"> => {
  if (!isPoolShare(line.current) && poolUseCount(line.current) !== 0) return "cannotDelete"
  releaseEntry(draft, line.entry, source)
  const { asset } = line.current
  line.erase()
  if (op.line.type === "assetTypePoolShare" && asset.type === "assetTypePoolShare") {
    releasePoolUse(draft, source, op.line.liquidityPool.constantProduct, asset.liquidityPoolId)
  }
  return "success"
}

const create = (op: xdr.ChangeTrustOp, asset: xdr.TrustLineAsset, { draft, source }: ApplyContext): Verdict<"changeTrust"> => {
  const issuer = issuerOf(op.line)
  const flags = issuer === undefined ? 0 : initialFlags(draft, issuer)
  if (flags === undefined) return "noIssuer"
  if (op.line.type === "assetTypePoolShare" && asset.type === "assetTypePoolShare") {
    const refusal = usePool(draft, source, op.line.liquidityPool.constantProduct, asset.liquidityPoolId)
    if (refusal !== undefined) return refusal
  }
  const line = new xdr.TrustLineEntry({
    accountId: source,
    asset,
    balance: 0n,
    limit: op.limit,
    flags,
    ext: xdr.TrustLineEntryExt.v0()
  })
  const entry = admitEntry(draft, newEntry(xdr.LedgerEntryData.trustline(line)), source)
  if (typeof entry === "string") return entry
  draft.put(entry)
  return "success"
}

/** Flags a new line gets from its issuer; undefined when there is no such account. */
const initialFlags = (draft: Draft, issuer: xdr.PublicKey): number | undefined => {
  const account = peekAccount(draft, issuer)?.current
  if (account === undefined) return undefined
  return (
    (hasFlag(account, AccountFlag.authRequired) ? 0 : TrustlineFlag.authorized) |
    (hasFlag(account, AccountFlag.clawbackEnabled) ? TrustlineFlag.clawbackEnabled : 0)
  )
}

/** Counts a new pool-share line on the owner's two asset lines and on the pool, which it creates when it is the first. */
const usePool = (
  draft: Draft,
  owner: xdr.PublicKey,
  params: xdr.LiquidityPoolConstantProductParameters,
  poolId: xdr.PoolId
): FailureName<"changeTrust"> | undefined => {
  for (const asset of [params.assetA, params.assetB]) {
    if (isNative(asset) || isIssuer(owner, asset)) continue
    const line = loadTrustline(draft, owner, asset)
    if (line === undefined) return "trustLineMissing"
    if (!mayMaintainLiabilities(line.current)) return "notAuthMaintainLiabilities"
    line.set(withPoolUseCount(line.current, poolUseCount(line.current) + 1))
  }
  const pool = loadPool(draft, poolId)
  if (pool === undefined) draft.put(newEntry(xdr.LedgerEntryData.liquidityPool(emptyPool(poolId, params))))
  else pool.set(withReserves(pool.current, { poolSharesTrustLineCount: 1n }))
  return undefined
}

const emptyPool = (liquidityPoolId: xdr.PoolId, params: xdr.LiquidityPoolConstantProductParameters): xdr.LiquidityPoolEntry =>
  new xdr.LiquidityPoolEntry({
    liquidityPoolId,
    body: xdr.LiquidityPoolEntryBody.liquidityPoolConstantProduct(
      new xdr.LiquidityPoolEntryConstantProduct({
        params,
        reserveA: 0n,
        reserveB: 0n,
        totalPoolShares: 0n,
        poolSharesTrustLineCount: 1n
      })
    )
  })
