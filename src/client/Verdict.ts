import type { Expected } from "../operations/Expected.ts"
import type { RefusedBecause } from "./ClientFailure.ts"

/** What a verifier says of an envelope. */
export type Verdict =
  | { readonly ok: true; readonly hash: string }
  | { readonly ok: false; readonly violations: ReadonlyArray<RefusedBecause> }

/** Holds an envelope against what the caller knows and wants. */
export type Verifier = (expected: Expected, envelope: string) => Verdict
