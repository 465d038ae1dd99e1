import * as xdr from "@stellar/stellar-sdk/xdr"

const rewritten = (envelope: string, rewrite: (transaction: xdr.Transaction) => void): string => {
  const decoded = xdr.TransactionEnvelope.fromXdr(envelope, "base64")
  if (decoded.type !== "envelopeTypeTx") throw new Error("not a plain transaction")
  rewrite(decoded.v1.tx)
  return decoded.toXdr("base64")
}

const callIn = ({ operations: [operation] }: xdr.Transaction): xdr.InvokeHostFunctionOp => {
  if (operation?.body.type !== "invokeHostFunction") throw new Error("no call")
  return operation.body.invokeHostFunctionOp
}

const leaveFor = (contractFn: xdr.InvokeContractArgs): xdr.SorobanAuthorizationEntry =>
  new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation: new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(contractFn),
      subInvocations: []
    })
  })

/** What a lying service makes of an honest revocation, by the words that refuse it. `theft`: a call that takes what the owner has. */
export const rewrittenRevocations = (
  honest: string,
  theft: xdr.InvokeContractArgs
): ReadonlyArray<readonly [words: string, envelope: string]> => [
  ["A close never has such an operation", rewritten(honest, (tx) => Object.assign(callIn(tx), { auth: [leaveFor(theft)] }))],
  [
    "A close never has such an operation",
    rewritten(honest, (tx) => {
      const call = callIn(tx)
      Object.assign(call, { auth: [...call.auth, leaveFor(theft)] })
    })
  ],
  [
    "never expires",
    rewritten(honest, (tx) => {
      if (tx.cond.type !== "precondV2" || tx.cond.v2.timeBounds === null) throw new Error("no time bounds")
      Object.assign(tx.cond.v2.timeBounds, { maxTime: 0n })
    })
  ],
  ["sequence number", rewritten(honest, (tx) => Object.assign(tx, { seqNum: tx.seqNum + 1n }))],
  [
    "resource fee of 7.0000000 lumens",
    rewritten(honest, (tx) => {
      if (tx.ext.type !== "sorobanData") throw new Error("no resources")
      Object.assign(tx.ext.sorobanData, { resourceFee: 70_000_000n })
    })
  ],
  [
    "does not call the token",
    rewritten(honest, (tx) =>
      Object.assign(tx, {
        ext: xdr.TransactionExt.v0(),
        operations: [
          new xdr.Operation({
            sourceAccount: tx.operations[0]?.sourceAccount ?? null,
            body: xdr.OperationBody.manageData(new xdr.ManageDataOp({ dataName: "a name", dataValue: null }))
          })
        ]
      }))
  ]
]
