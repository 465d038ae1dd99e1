import { blocker } from "../../domain/Blocker.ts"
import { baseAccount } from "../../domain/DestinationAddress.ts"
import { Draft } from "../../ledger/Draft.ts"
import { FrozenKeys } from "../../ledger/Frozen.ts"
import { trustlineAssetOf } from "../../stellar/Assets.ts"
import { accountKey, trustlineKey } from "../../xdr/LedgerKeys.ts"
import type { Blocker, Gate } from "../situation/Gate.ts"
import { holdingsIn } from "../situation/Holdings.ts"

/** Validators can freeze an account or a trustline by vote (CAP-77); no transaction may touch it then. */
export const frozen: Gate = ({ destination, input, ledgerState }) => {
  const keys = FrozenKeys.of(Draft.of(ledgerState))
  if (keys.isEmpty) return []
  const found = (message: string, subject: string): Blocker => ({ failure: null, shown: blocker("frozen_entry", message, subject) })
  const accounts = [input.source, ...(destination === null ? [] : [baseAccount(destination.address)])]
  const trustlines = holdingsIn(ledgerState, input.source)?.trustlines ?? []
  return [
    ...accounts.filter((address) => keys.hasKey(accountKey(address))).map((address) =>
      found("The account is frozen by the network's validators.", address)
    ),
    ...trustlines
      .filter(({ asset }) => keys.hasKey(trustlineKey(input.source, trustlineAssetOf(asset))))
      .map(({ asset }) => found(`The trustline to ${asset} is frozen by the network's validators.`, asset))
  ]
}
