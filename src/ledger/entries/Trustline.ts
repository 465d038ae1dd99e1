import { xdr } from "@stellar/stellar-sdk"
import { noLiabilities } from "./Account.ts"

/** `TrustLineFlags`. */
export const TrustlineFlag = { authorized: 1, maintainLiabilities: 2, clawbackEnabled: 4 } as const

/** Either authorization bit. */
export const authorizationFlags = TrustlineFlag.authorized | TrustlineFlag.maintainLiabilities

export const isPoolShare = (line: xdr.TrustLineEntry): boolean => line.asset.type === "assetTypePoolShare"

export const isAuthorized = (line: xdr.TrustLineEntry): boolean => (line.flags & TrustlineFlag.authorized) !== 0

/** May keep the offers and pool shares it has; pool-share lines carry no authorization of their own. */
export const mayMaintainLiabilities = (line: xdr.TrustLineEntry): boolean => isPoolShare(line) || (line.flags & authorizationFlags) !== 0

export const isClawbackEnabled = (line: xdr.TrustLineEntry): boolean => (line.flags & TrustlineFlag.clawbackEnabled) !== 0

export const lineLiabilities = (line: xdr.TrustLineEntry): xdr.Liabilities =>
  line.ext.type === "v0" ? noLiabilities : line.ext.v1.liabilities

/** How many pool-share trustlines of the owner need this one to stand. */
export const poolUseCount = (line: xdr.TrustLineEntry): number =>
  line.ext.type === "v0" || line.ext.v1.ext.type === "v0" ? 0 : line.ext.v1.ext.v2.liquidityPoolUseCount

export const withLine = (
  line: xdr.TrustLineEntry,
  fields: Partial<Pick<xdr.TrustLineEntry, "balance" | "limit" | "flags">>
): xdr.TrustLineEntry => new xdr.TrustLineEntry({ ...line, ...fields })

export const withLineLiabilities = (line: xdr.TrustLineEntry, liabilities: xdr.Liabilities): xdr.TrustLineEntry =>
  new xdr.TrustLineEntry({
    ...line,
    ext: xdr.TrustLineEntryExt.v1(
      new xdr.TrustLineEntryV1({
        liabilities,
        ext: line.ext.type === "v0" ? xdr.TrustLineEntryV1Ext.v0() : line.ext.v1.ext
      })
    )
  })

export const withPoolUseCount = (line: xdr.TrustLineEntry, liquidityPoolUseCount: number): xdr.TrustLineEntry =>
  new xdr.TrustLineEntry({
    ...line,
    ext: xdr.TrustLineEntryExt.v1(
      new xdr.TrustLineEntryV1({
        liabilities: lineLiabilities(line),
        ext: xdr.TrustLineEntryV1Ext.v2(
          new xdr.TrustLineEntryExtensionV2({ liquidityPoolUseCount, ext: xdr.TrustLineEntryExtensionV2Ext.v0() })
        )
      })
    )
  })
