import { xdr } from "@stellar/stellar-sdk"

/** Resources over a footprint; what is not given is nothing. */
export const resourcesOver = (
  readOnly: ReadonlyArray<xdr.LedgerKey>,
  readWrite: ReadonlyArray<xdr.LedgerKey>,
  counts: { readonly instructions?: number; readonly diskReadBytes?: number; readonly writeBytes?: number } = {}
): xdr.SorobanResources =>
  new xdr.SorobanResources({
    footprint: new xdr.LedgerFootprint({ readOnly: [...readOnly], readWrite: [...readWrite] }),
    instructions: counts.instructions ?? 0,
    diskReadBytes: counts.diskReadBytes ?? 0,
    writeBytes: counts.writeBytes ?? 0
  })
