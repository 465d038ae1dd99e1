import type { ProtocolCode } from "../../registry/ContractAddresses.ts"

/** Code that is known: a name for what it is, by the SHA-256 of its wasm in hex. */
export type KnownCode<Kind extends string> = ReadonlyMap<string, Kind>

/** The code of these kinds, as a contracts file lists it for a protocol; kinds that it does not list have none. */
export const knownCode = <Kind extends string>(code: Readonly<Partial<ProtocolCode>>, ...kinds: ReadonlyArray<Kind>): KnownCode<Kind> =>
  new Map(kinds.flatMap((kind) => (code[kind] ?? []).map((hash) => [hash, kind] as const)))
