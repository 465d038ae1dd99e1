import { xdr } from "@stellar/stellar-sdk"
import { sha256 } from "../../../src/ledger/Signatures.ts"
import { xdrBytes } from "../../../src/xdr/XdrBytes.ts"

/** The first bytes of any code without functions. */
const preamble = Buffer.from([0, 97, 115, 109, 1, 0, 0, 0])

const section = Buffer.from("contractspecv0")

/** A length in LEB128: seven bits a byte, the lowest first. */
const length = (value: number): Buffer => {
  const bytes: Array<number> = []
  let rest = value
  while (rest >= 128) {
    bytes.push((rest & 127) | 128)
    rest >>>= 7
  }
  return Buffer.from([...bytes, rest])
}

/** A declared function of code, by the types of its arguments. */
export const declaredFunction = (name: string, types: ReadonlyArray<xdr.ScSpecTypeDef>): xdr.ScSpecEntry =>
  xdr.ScSpecEntry.scSpecEntryFunctionV0(
    new xdr.ScSpecFunctionV0({
      doc: "",
      name,
      inputs: types.map((type, at) => new xdr.ScSpecFunctionInputV0({ doc: "", name: `argument${at}`, type })),
      outputs: []
    })
  )

/** Code that only declares functions and types, with its hash (hex). */
export const declaringCode = (
  declarations: ReadonlyArray<xdr.ScSpecEntry>
): { readonly code: Uint8Array<ArrayBuffer>; readonly hash: string } => {
  const entries = Buffer.concat(declarations.map(xdrBytes))
  const body = Buffer.concat([length(section.length), section, entries])
  const code = Buffer.concat([preamble, Buffer.from([0]), length(body.length), body])
  return { code, hash: Buffer.from(sha256(code)).toString("hex") }
}
