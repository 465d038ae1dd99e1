import type { xdr } from "@stellar/stellar-sdk"
import { bytesId } from "../../ledger/AccountId.ts"
import { addressOf, canonicalAsset } from "../AssetName.ts"
import { showAmount } from "../DecimalAmount.ts"
import type { Indexed } from "../LedgerIndex.ts"
import type { Chain } from "../network/Chain.ts"
import { showTime } from "../ShowTime.ts"
import { modified } from "./ModifiedTime.ts"

const CLAWBACK_ENABLED = 1

/** 72 hex digits: the XDR of the id, its type included, which is zero for the only one there is. */
export const balanceIdOf = ({ body }: Indexed<xdr.ClaimableBalanceEntry>): string => `00000000${bytesId(body.balanceId.v0.value)}`

const predicateJson = (predicate: xdr.ClaimPredicate): object => {
  switch (predicate.type) {
    case "claimPredicateUnconditional":
      return { unconditional: true }
    case "claimPredicateAnd":
      return { and: predicate.andPredicates.map(predicateJson) }
    case "claimPredicateOr":
      return { or: predicate.orPredicates.map(predicateJson) }
    case "claimPredicateNot":
      return predicate.notPredicate === null ? {} : { not: predicateJson(predicate.notPredicate) }
    case "claimPredicateBeforeAbsoluteTime":
      return { abs_before: showTime(predicate.absBefore), abs_before_epoch: predicate.absBefore.toString() }
    case "claimPredicateBeforeRelativeTime":
      return { rel_before: predicate.relBefore.toString() }
  }
}

/** A claimable balance. Paging token: the last changing ledger and the id. */
export const claimableBalanceResource = (chain: Chain, balance: Indexed<xdr.ClaimableBalanceEntry>, origin: string) => {
  const { body, lastModified, sponsor } = balance
  const id = balanceIdOf(balance)
  const self = `${origin}/claimable_balances/${id}`
  return {
    _links: { self: { href: self } },
    id,
    asset: canonicalAsset(body.asset),
    amount: showAmount(body.amount),
    ...(sponsor === undefined ? {} : { sponsor }),
    ...modified(chain, lastModified),
    claimants: body.claimants.map(({ v0 }) => ({
      destination: addressOf(v0.destination),
      predicate: predicateJson(v0.predicate)
    })),
    flags: { clawback_enabled: body.ext.type === "v1" && (body.ext.v1.flags & CLAWBACK_ENABLED) !== 0 },
    paging_token: `${lastModified}-${id}`
  }
}
