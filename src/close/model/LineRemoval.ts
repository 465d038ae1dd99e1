import type { AccountAddress } from "../../domain/Address.ts"
import { stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { Task } from "./Unit.ts"

/** The removal of an empty trustline. */
export const lineRemoval = (source: AccountAddress, asset: AssetId): Task => ({
  type: "REMOVE_TRUSTLINES",
  title: `Remove the trustline to ${asset}`,
  description: "The line is empty by then; its reserve is freed.",
  asset,
  operations: [{ type: "change_trust", source, asset, limit: stroops(0n) }]
})
