/** Why `pay_debt` failed when it was simulated or applied, as far as the next step depends on it. */
export type PayDebtFailure =
  /** There is no such vault any more: it was closed, redeemed or liquidated. */
  | { readonly _tag: "VaultGone" }
  /** The vault, its debt or its neighbours are not what they were when the call was built. Read again and build it anew. */
  | { readonly _tag: "VaultChanged" }
  /** Less of the stablecoin can be spent than the debt. */
  | { readonly _tag: "RepayAssetShort" }
  /** The stablecoin cannot leave the account: no line for it, or one that its issuer froze. */
  | { readonly _tag: "RepayAssetStuck" }
  /** The contract's operators stopped it, or its price is too old. */
  | { readonly _tag: "Paused" }
  /** The code does not take the call as it was built. */
  | { readonly _tag: "CodeDiffers" }
  /** Anything else, by its code. */
  | { readonly _tag: "Other"; readonly code: string }

// `SCErrors` of the vaults contract (below 100 its general ones), and those of the asset contract that burns the stablecoin: 10, 11, 13.
const byContractCode: Readonly<Record<string, Exclude<PayDebtFailure["_tag"], "Other">>> = {
  10: "RepayAssetShort",
  11: "RepayAssetStuck",
  13: "RepayAssetStuck",
  20: "Paused",
  201: "VaultGone",
  300: "VaultChanged",
  500: "VaultGone",
  504: "VaultChanged",
  505: "VaultChanged",
  506: "VaultChanged",
  507: "VaultChanged",
  508: "VaultChanged",
  509: "VaultChanged",
  510: "VaultChanged",
  512: "VaultChanged",
  600: "VaultChanged"
}

const codeDiffers = new Set(["Error(WasmVm, UnexpectedSize)", "Error(WasmVm, InvalidAction)", "Error(WasmVm, MissingValue)"])

/** Reads the error the host gave, for instance `Error(Contract, #505)` at the beginning of a simulation's error text. */
export const payDebtFailure = (text: string): PayDebtFailure => {
  const code = /Error\([^)]*\)/.exec(text)?.[0]
  if (code === undefined) return { _tag: "Other", code: text.slice(0, 80) }
  const known = byContractCode[/^Error\(Contract, #(\d+)\)$/.exec(code)?.[1] ?? ""]
  if (known !== undefined) return { _tag: known }
  return codeDiffers.has(code) ? { _tag: "CodeDiffers" } : { _tag: "Other", code }
}
