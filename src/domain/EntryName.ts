import { Schema } from "effect"
import { isAccountAddress } from "./Address.ts"
import { isAssetId } from "./Asset.ts"

const poolId = /^[0-9a-f]{64}$/
const balanceId = /^0{8}[0-9a-f]{64}$/
const offerId = /^[1-9][0-9]{0,18}$/

/** Bytes that the name of a data entry has at most. */
const longestDataName = 64

const largestOfferId = 9223372036854775807n

const isOfferId = (text: string): boolean => offerId.test(text) && BigInt(text) <= largestOfferId

const isDataName = (text: string): boolean => text !== "" && new TextEncoder().encode(text).length <= longestDataName

/** Whether what stands behind the owner names one of its entries, by its kind. */
const named: ReadonlyMap<string, (rest: string) => boolean> = new Map([
  ["trustline", (rest: string) => poolId.test(rest) || (rest.includes("-") && isAssetId(rest.replace("-", ":")))],
  ["offer", isOfferId],
  ["data_entry", isDataName]
])

const isEntryName = (text: string): boolean => {
  const [kind = "", subject = "", ...rest] = text.split(":")
  if (kind === "claimable_balance") return rest.length === 0 && balanceId.test(subject)
  if (!isAccountAddress(subject)) return false
  if (kind === "account") return rest.length === 0
  return rest.length > 0 && (named.get(kind)?.(rest.join(":")) ?? false)
}

/** The forms of such names, in words. */
export const entryNameForms =
  "`account:G...`, `trustline:G...:CODE-ISSUER`, `trustline:G...:<pool id>`, `offer:G...:<id>`, `data_entry:G...:<name>` or `claimable_balance:<id>`"

/** What every such name matches. */
export const entryNamePattern = "^(account|trustline|offer|data_entry|claimable_balance):.+$"

/** The name of a ledger entry, as decisions about sponsorships write it. */
export const EntryName = /* @__PURE__ */ Schema.String.pipe(
  Schema.filter((text) => isEntryName(text) || `the name of an entry: ${entryNameForms.replaceAll("`", "")}`)
)
export type EntryName = typeof EntryName.Type
