import { assert } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { assertAgrees } from "./CallAgreement.ts"
import { enforce, ledgerBefore, type LendCall, type LendRecording, simulate } from "./LendReplay.ts"

/** The nonces of agreements by somebody who does not send the transaction. */
const noncesOf = ({ auth = [] }: LendCall): ReadonlyArray<bigint> =>
  auth
    .map((entry) => xdr.SorobanAuthorizationEntry.fromXdr(entry, "base64").credentials)
    .flatMap((each) => (each.type === "sorobanCredentialsAddress" ? [each.address.nonce] : []))

/** Runs a recorded call on the ledger it was recorded on, simulated and applied, and holds it to everything recorded of it. */
export const assertReplayed = (recording: LendRecording, call: LendCall): void => {
  const state = ledgerBefore(recording, call)
  const invocation = { ...call, args: call.args.map((arg) => xdr.ScVal.fromXdr(arg, "base64")) }
  const nonces = noncesOf(call)
  const simulated = simulate(recording, state, invocation, nonces)
  if (simulated.kind === "failure") {
    assert.isFalse(call.ok, simulated.error.message)
    return assert.strictEqual(simulated.error.code, call.errorCode)
  }
  assert.isTrue(call.ok, `should fail with ${call.errorCode}`)
  assertAgrees(call, simulated)
  // Somebody else's agreement would have to be signed, and their key was not recorded.
  if (nonces.length > 0) return
  for (const later of [{ ledgers: 0, seconds: 0, outcome: "ok" }, ...call.later]) {
    const enforced = enforce(recording, state, call, invocation, simulated, later)
    assert.strictEqual(enforced.outcome, later.outcome, `${later.ledgers} ledgers later`)
    if (later.outcome === "ok") assert.strictEqual(enforced.result, call.result, `${later.ledgers} ledgers later`)
  }
}
