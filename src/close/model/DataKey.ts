import type { xdr } from "@stellar/stellar-sdk"

/** What an enum key of a contract's data names, such as the holder in `Balance(holder)`; null for any other key. */
export const variantIn = (key: xdr.ScVal, variant: string): xdr.ScVal | null => {
  const [name, named, ...more] = key.type === "scvVec" ? key.vec ?? [] : []
  return name?.type === "scvSymbol" && name.sym.toString() === variant && named !== undefined && more.length === 0 ? named : null
}
