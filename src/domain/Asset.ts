import { type AccountAddress, isAccountAddress } from "./Address.ts"
import { textLeaf } from "./Leaf.ts"

const credit = /^[A-Za-z0-9]{1,12}:(G[A-Z2-7]{55})$/

/** Whether a text is `native` or `CODE:ISSUER`, the issuer's checksum included. */
export const isAssetId = (text: string): boolean => {
  if (text === "native") return true
  const issuer = credit.exec(text)?.[1]
  return issuer !== undefined && isAccountAddress(issuer)
}

/** An asset identifier: the literal `native`, or `CODE:ISSUER`. */
export const AssetId = /* @__PURE__ */ textLeaf("AssetId", {
  is: isAssetId,
  pattern: "^(native|[A-Za-z0-9]{1,12}:G[A-Z2-7]{55})$",
  expected: "an asset identifier: native or CODE:ISSUER",
  description: "`native` or `CODE:ISSUER`."
})
export type AssetId = typeof AssetId.Type

/** Brands a text that is known to name an asset; of any other it throws, which is a defect. */
export const assetNamed = (text: string): AssetId => {
  if (isAssetId(text)) return text as AssetId
  throw new RangeError(`${text} names no asset`)
}

/** The lumen. */
export const native: AssetId = "native" as AssetId

/** An asset that someone issued, taken apart. */
export interface IssuedAsset {
  readonly id: AssetId
  readonly code: string
  readonly issuer: AccountAddress
}

/** The code and issuer of an issued asset; null for `native`. */
export const issued = (id: AssetId): IssuedAsset | null => {
  if (id === native) return null
  const colon = id.indexOf(":")
  return { id, code: id.slice(0, colon), issuer: id.slice(colon + 1) as AccountAddress }
}

/** `CODE-ISSUER`, the form used inside decision ids, where a colon separates parts. */
export const dashed = (id: AssetId): string => id.replace(":", "-")
