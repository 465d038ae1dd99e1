import { assert } from "@effect/vitest"
import { contract, xdr } from "@stellar/stellar-sdk"

type Type = xdr.ScSpecTypeDef

const udt = (name: string): Type => xdr.ScSpecTypeDef.scSpecTypeUdt(new xdr.ScSpecTypeUdt({ name }))
const symbol = xdr.ScSpecTypeDef.scSpecTypeSymbol()
const u128 = xdr.ScSpecTypeDef.scSpecTypeU128()
const i128 = xdr.ScSpecTypeDef.scSpecTypeI128()
const address = xdr.ScSpecTypeDef.scSpecTypeAddress()

const declare = (name: string, inputs: Readonly<Record<string, Type>>): xdr.ScSpecEntry =>
  xdr.ScSpecEntry.scSpecEntryFunctionV0(
    new xdr.ScSpecFunctionV0({
      doc: "",
      name,
      inputs: Object.entries(inputs).map(([input, type]) => new xdr.ScSpecFunctionInputV0({ doc: "", name: input, type })),
      outputs: []
    })
  )

const vaultKey = xdr.ScSpecEntry.scSpecEntryUdtStructV0(
  new xdr.ScSpecUdtStructV0({
    doc: "",
    lib: "",
    name: "VaultKey",
    fields: Object.entries({ account: address, denomination: symbol, index: u128 }).map(([name, type]) =>
      new xdr.ScSpecUdtStructFieldV0({ doc: "", name, type })
    )
  })
)

const optionalVaultKey = xdr.ScSpecEntry.scSpecEntryUdtUnionV0(
  new xdr.ScSpecUdtUnionV0({
    doc: "",
    lib: "",
    name: "OptionalVaultKey",
    cases: [
      xdr.ScSpecUdtUnionCaseV0.scSpecUdtUnionCaseVoidV0(new xdr.ScSpecUdtUnionCaseVoidV0({ doc: "", name: "None" })),
      xdr.ScSpecUdtUnionCaseV0.scSpecUdtUnionCaseTupleV0(
        new xdr.ScSpecUdtUnionCaseTupleV0({ doc: "", name: "Some", type: [udt("VaultKey")] })
      )
    ]
  })
)

const payDebt = (amount: Type, more: Readonly<Record<string, Type>> = {}) =>
  declare("pay_debt", {
    prev_key: udt("OptionalVaultKey"),
    vault_key: udt("VaultKey"),
    new_prev_key: udt("OptionalVaultKey"),
    amount,
    ...more
  })

const getters = [
  declare("get_vault", { user: address, denomination: symbol }),
  declare("get_vaults_info", { denomination: symbol }),
  declare("get_currency", { denomination: symbol })
]

const of = (...functions: ReadonlyArray<xdr.ScSpecEntry>) => [vaultKey, optionalVaultKey, ...getters, ...functions]

/** Declarations of code (`contractspecv0`): the recorded generation, and others that differ from it. */
export const declarations = {
  vaults: of(payDebt(u128)),
  signedAmounts: of(payDebt(i128)),
  fiveArguments: of(payDebt(u128, { deadline: xdr.ScSpecTypeDef.scSpecTypeU64() })),
  woundDown: [declare("evict", { user: address }), declare("upgrade", { hash: u128 })],
  stranger: [declare("transfer", { to: address })]
}

const section = (payload: Uint8Array): Uint8Array => {
  const name = Buffer.from("contractspecv0")
  const body = Buffer.concat([length(name.length), name, payload])
  return Buffer.concat([Buffer.from([0]), length(body.length), body])
}

const length = (value: number): Buffer => {
  const bytes: Array<number> = []
  for (let rest = value;; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest & 127) | 128)
  }
}

/** An entry of code with this declaration and no behaviour. */
export const codeDeclaring = (hash: string, entries: ReadonlyArray<xdr.ScSpecEntry>): xdr.LedgerEntryData => {
  const code = Buffer.concat([Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]), section(Buffer.concat(entries.map((entry) => entry.toXdr())))])
  assert.strictEqual(contract.Spec.fromWasm(code).entries.length, entries.length)
  return xdr.LedgerEntryData.contractCode(
    new xdr.ContractCodeEntry({ ext: xdr.ContractCodeEntryExt.fromXdr("AAAAAA==", "base64"), hash: Buffer.from(hash, "hex"), code })
  )
}
