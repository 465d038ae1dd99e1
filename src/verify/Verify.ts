import type { Expected } from "../operations/Expected.ts"
import type { Violation } from "../operations/Violation.ts"

/** What comes of holding a transaction against what its caller asked for. */
export type Verified =
  /** `hash`: what is signed, hex. */
  | { readonly ok: true; readonly hash: string }
  | { readonly ok: false; readonly violations: ReadonlyArray<Violation> }

/** Every way in which a transaction (base64) is not what its caller asked for. */
export const verify = (_expected: Expected, _envelope: string): Verified => ({
  ok: false,
  violations: [{ rule: "undecodable", operation: null, message: "Nothing is verified yet." }]
})
