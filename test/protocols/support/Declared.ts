import { contract as sdk, xdr } from "@stellar/stellar-sdk"

/** A declaration of functions, as a contract's code carries it. */
export const specOf = (functions: Readonly<Record<string, ReadonlyArray<xdr.ScSpecTypeDef>>>) =>
  new sdk.Spec(
    Object.entries(functions).map(([name, inputs]) =>
      xdr.ScSpecEntry.scSpecEntryFunctionV0(
        new xdr.ScSpecFunctionV0({
          doc: "",
          name,
          inputs: inputs.map((type, index) => new xdr.ScSpecFunctionInputV0({ doc: "", name: `a${index}`, type })),
          outputs: []
        })
      )
    )
  )

/** The type of a struct or union of this name. */
export const typeNamed = (name: string) => xdr.ScSpecTypeDef.scSpecTypeUdt(new xdr.ScSpecTypeUdt({ name }))

export const listOf = (elementType: xdr.ScSpecTypeDef) => xdr.ScSpecTypeDef.scSpecTypeVec(new xdr.ScSpecTypeVec({ elementType }))

/** A declaration of a struct. */
export const structOf = (name: string, fields: Readonly<Record<string, xdr.ScSpecTypeDef>>) =>
  xdr.ScSpecEntry.scSpecEntryUdtStructV0(
    new xdr.ScSpecUdtStructV0({
      doc: "",
      lib: "",
      name,
      fields: Object.entries(fields).map(([field, type]) => new xdr.ScSpecUdtStructFieldV0({ doc: "", name: field, type }))
    })
  )

/** The smallest wasm: its header, and one custom section with the declaration. */
const wasmOf = (spec: sdk.Spec): Uint8Array => {
  const name = Buffer.from("contractspecv0")
  const body = Buffer.concat([Buffer.from([name.length]), name, ...spec.entries.map((entry) => Buffer.from(entry.toXdr()))])
  const size: Array<number> = []
  for (let rest = body.length;; rest >>= 7) {
    size.push(rest >= 128 ? (rest & 127) | 128 : rest)
    if (rest < 128) break
  }
  return Buffer.concat([Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0]), Buffer.from(size), body])
}

/** The entry of code that declares this. */
export const codeEntry = (wasmHash: string, spec: sdk.Spec): xdr.LedgerEntryData =>
  xdr.LedgerEntryData.contractCode(
    new xdr.ContractCodeEntry({ ext: xdr.ContractCodeEntryExt.v0(), hash: Buffer.from(wasmHash, "hex"), code: wasmOf(spec) })
  )
