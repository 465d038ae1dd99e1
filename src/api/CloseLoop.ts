/** A step of the close loop, as documentation shows it. */
export interface LoopStep {
  readonly title: string
  /** Identifier of the operation that the step calls. */
  readonly operation: "planClose" | "buildTransaction" | "submitTransaction"
  readonly text: string
  /** Body of the call in a shell, where SOURCE and DESTINATION are variables. */
  readonly body: string
}

const pair = `"source":"'$SOURCE'","destination":"'$DESTINATION'"`

/** The close loop in three steps. */
export const closeLoop: ReadonlyArray<LoopStep> = [
  {
    title: "Plan",
    operation: "planClose",
    text:
      "Send the account as `source`, and where its lumens go as `destination`. The plan has the steps, the decisions to make, blockers and an estimate. " +
      "Send its `suggestedDecisions` back unchanged, and answer every other decision point that is `required`.",
    body: `'{${pair}}'`
  },
  {
    title: "Build and sign",
    operation: "buildTransaction",
    text: "Send the same request with your decisions. The service repeats every check and returns the next unsigned transaction. " +
      "Decode `xdr`, compare it with what you want, and do what `next` lists, in its order. Sign on your machine: the service never needs a secret key.",
    body: `'{${pair},"decisions":[{"id":"destination:'$DESTINATION'","choice":"i_control_this_address"}]}'`
  },
  {
    title: "Submit",
    operation: "submitTransaction",
    text: "Send the signed envelope. Repeat from step 2 with the same request while `remaining.requiresAnotherCall` is true. " +
      "Then `status` is `complete`, and `closed` has the transaction and the lumens that arrived.",
    body: `'{"signedXdr":"'$SIGNED'"}'`
  }
]
