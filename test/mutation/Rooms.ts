/** A part of the sources that is mutated, and the tests that have to notice. */
interface Room {
  /** Files and folders below the project's folder. */
  readonly mutate: ReadonlyArray<string>
  /** Test files, quick ones first: a mutant ends at the first test that fails. */
  readonly tests: ReadonlyArray<string>
}

/** `npm run mutate -- <room>` runs one of them. */
export const rooms: Readonly<Record<string, Room>> = {
  verify: {
    mutate: ["src/verify/**/*.ts"],
    tests: [
      "test/verify/Violations.test.ts",
      "test/verify/Explain.test.ts",
      "test/verify/ContractBook.test.ts",
      "test/verify/DeployedPools.test.ts",
      "test/verify/Attacks.test.ts"
    ]
  },
  exchange: {
    mutate: ["src/ledger/exchange/**/*.ts"],
    tests: [
      "test/ledger/operations/ManageOffer.test.ts",
      "test/ledger/operations/LiquidityPool.test.ts",
      "test/ledger/State.test.ts",
      "test/ledger/exchange/Exchange.test.ts",
      "test/ledger/exchange/OfferBook.test.ts",
      "test/ledger/operations/PathPayment.test.ts",
      "test/ledger/exchange/AbandonedBook.test.ts",
      "test/ledger/Frozen.test.ts",
      "test/ledger/Recorded.test.ts"
    ]
  },
  operations: {
    mutate: ["src/ledger/operations/**/*.ts"],
    tests: [
      "test/ledger/operations/Thresholds.test.ts",
      "test/ledger/operations/AccountMerge.test.ts",
      "test/ledger/operations/BumpSequence.test.ts",
      "test/ledger/operations/ChangeTrust.test.ts",
      "test/ledger/operations/ClaimableBalance.test.ts",
      "test/ledger/operations/IssuersClaimable.test.ts",
      "test/ledger/operations/LiquidityPool.test.ts",
      "test/ledger/operations/ManageData.test.ts",
      "test/ledger/operations/ManageOffer.test.ts",
      "test/ledger/operations/Payment.test.ts",
      "test/ledger/operations/SetOptions.test.ts",
      "test/ledger/operations/Sponsorship.test.ts",
      "test/ledger/operations/TrustFlags.test.ts",
      "test/ledger/operations/PathPayment.test.ts",
      "test/ledger/FailedOperations.test.ts",
      "test/ledger/Frozen.test.ts",
      "test/ledger/Multisig.test.ts",
      "test/ledger/soroban/Archival.test.ts",
      "test/ledger/soroban/Transactions.test.ts",
      "test/ledger/Recorded.test.ts"
    ]
  },
  ledger: {
    mutate: ["src/ledger/*.ts", "src/ledger/entries/*.ts"],
    tests: [
      "test/ledger/entries/Account.test.ts",
      "test/ledger/entries/ClaimableBalance.test.ts",
      "test/ledger/entries/ClaimPredicate.test.ts",
      "test/ledger/entries/LedgerEntry.test.ts",
      "test/ledger/entries/Signer.test.ts",
      "test/ledger/entries/Text.test.ts",
      "test/ledger/entries/Trustline.test.ts",
      "test/ledger/Asset.test.ts",
      "test/ledger/EntryId.test.ts",
      "test/ledger/Int64.test.ts",
      "test/ledger/Operation.test.ts",
      "test/ledger/Invariants.test.ts",
      "test/ledger/Holding.test.ts",
      "test/ledger/LedgerFault.test.ts",
      "test/ledger/Restorations.test.ts",
      "test/ledger/Revocation.test.ts",
      "test/ledger/State.test.ts",
      "test/ledger/TriedOperations.test.ts",
      "test/ledger/TransactionInvariants.test.ts",
      "test/ledger/Transaction.test.ts",
      "test/ledger/FeeBump.test.ts",
      "test/ledger/FailedOperations.test.ts",
      "test/ledger/Multisig.test.ts",
      "test/ledger/Frozen.test.ts",
      "test/ledger/operations/AccountMerge.test.ts",
      "test/ledger/operations/BumpSequence.test.ts",
      "test/ledger/operations/ChangeTrust.test.ts",
      "test/ledger/operations/ClaimableBalance.test.ts",
      "test/ledger/operations/LiquidityPool.test.ts",
      "test/ledger/operations/ManageData.test.ts",
      "test/ledger/operations/Payment.test.ts",
      "test/ledger/operations/SetOptions.test.ts",
      "test/ledger/operations/Sponsorship.test.ts",
      "test/ledger/operations/TrustFlags.test.ts",
      "test/ledger/soroban/Transactions.test.ts",
      "test/ledger/soroban/Archival.test.ts",
      "test/ledger/PersistentMap.test.ts",
      "test/ledger/operations/IssuersClaimable.test.ts",
      "test/ledger/exchange/OfferBook.test.ts",
      "test/ledger/operations/ManageOffer.test.ts",
      "test/ledger/exchange/Exchange.test.ts",
      "test/ledger/Random.test.ts",
      "test/ledger/Recorded.test.ts"
    ]
  },
  soroban: {
    mutate: ["src/ledger/soroban/*.ts"],
    tests: [
      "test/ledger/soroban/AssetAllowance.test.ts",
      "test/ledger/soroban/AssetBalance.test.ts",
      "test/ledger/soroban/AssetEvents.test.ts",
      "test/ledger/soroban/AssetInstance.test.ts",
      "test/ledger/soroban/AssetTrust.test.ts",
      "test/ledger/soroban/ClassicBalance.test.ts",
      "test/ledger/soroban/Creation.test.ts",
      "test/ledger/soroban/Frame.test.ts",
      "test/ledger/soroban/HostError.test.ts",
      "test/ledger/soroban/Journal.test.ts",
      "test/ledger/soroban/KeyOrder.test.ts",
      "test/ledger/soroban/Life.test.ts",
      "test/ledger/soroban/Meter.test.ts",
      "test/ledger/soroban/Receipt.test.ts",
      "test/ledger/soroban/RentFee.test.ts",
      "test/ledger/soroban/ResourceFee.test.ts",
      "test/ledger/soroban/Resources.test.ts",
      "test/ledger/soroban/Storage.test.ts",
      "test/ledger/soroban/ValueOrder.test.ts",
      "test/ledger/soroban/AccountSignatures.test.ts",
      "test/ledger/soroban/AuthorizationFrames.test.ts",
      "test/ledger/soroban/AuthorizationRecording.test.ts",
      "test/ledger/soroban/Contract.test.ts",
      "test/ledger/soroban/ContractCode.test.ts",
      "test/ledger/soroban/Credentials.test.ts",
      "test/ledger/soroban/EngineAuthenticator.test.ts",
      "test/ledger/soroban/EntryOutcome.test.ts",
      "test/ledger/soroban/FootprintSimulation.test.ts",
      "test/ledger/soroban/HostFunction.test.ts",
      "test/ledger/soroban/Invocation.test.ts",
      "test/ledger/soroban/InvocationLimits.test.ts",
      "test/ledger/soroban/InvocationTree.test.ts",
      "test/ledger/soroban/Machine.test.ts",
      "test/ledger/soroban/Settings.test.ts",
      "test/ledger/soroban/SimulatedAgreements.test.ts",
      "test/ledger/soroban/SimulatedResources.test.ts",
      "test/ledger/soroban/Simulation.test.ts",
      "test/ledger/soroban/SorobanContext.test.ts",
      "test/ledger/soroban/SorobanRules.test.ts",
      "test/ledger/soroban/Values.test.ts",
      "test/ledger/soroban/NativeAsset.test.ts",
      "test/ledger/soroban/Contracts.test.ts",
      "test/ledger/soroban/Replay.test.ts",
      "test/ledger/soroban/Archival.test.ts",
      "test/ledger/soroban/Tokens.test.ts",
      "test/ledger/soroban/Transactions.test.ts",
      "test/ledger/soroban/Authorization.test.ts",
      "test/ledger/Recorded.test.ts"
    ]
  },
  submit: {
    mutate: [
      "src/close/submit/SignatureSet.ts",
      "src/close/submit/RecentSubmissions.ts",
      "src/close/submit/EnvelopeSender.ts",
      "src/close/submit/TransactionOutcomes.ts",
      "src/close/submit/TransactionQueue.ts",
      "src/close/submit/SubmitGate.ts",
      "src/close/submit/Submission.ts"
    ],
    tests: [
      "test/close/SignatureSet.test.ts",
      "test/close/Pending.test.ts",
      "test/close/RefusedEnvelope.test.ts",
      "test/close/NamedFee.test.ts",
      "test/close/TransactionOutcome.test.ts",
      "test/close/UsedSequence.test.ts",
      "test/close/AfterCalls.test.ts",
      "test/close/SubmitGate.test.ts",
      "test/close/Submit.test.ts",
      "test/close/Landed.test.ts",
      "test/close/Surge.test.ts",
      "test/close/UnverifiedDestination.test.ts",
      "test/close/MuxedDestination.test.ts",
      "test/close/ExchangeDestination.test.ts",
      "test/close/MediatorClose.test.ts",
      "test/close/MediatorMetrics.test.ts",
      "test/close/MediatorWatch.test.ts",
      "test/close/SubmitFaults.test.ts"
    ]
  },
  simulation: {
    mutate: ["src/close/leaving/simulation/**/*.ts"],
    tests: [
      "test/close/leaving/tokens/TokenSafety.test.ts",
      "test/close/leaving/CallFailures.test.ts",
      "test/close/leaving/Footprint.test.ts",
      "test/close/leaving/SimulatedMoves.test.ts",
      "test/close/leaving/CalledCode.test.ts",
      "test/close/leaving/LaterLedger.test.ts",
      "test/close/leaving/FeeLimit.test.ts",
      "test/close/leaving/CallSafety.test.ts",
      "test/close/leaving/CallSimulator.test.ts",
      "test/close/leaving/Malice.test.ts"
    ]
  },
  witness: {
    mutate: [
      "src/chain/witness/**/*.ts",
      "src/close/answer/{MergeGate,TokenWitness,WitnessGate,WitnessNeed}.ts",
      "src/close/read/{AccountAgreement,EndpointChoice,SourceAgreement}.ts"
    ],
    tests: [
      "test/chain/AccountStatement.test.ts",
      "test/close/AccountAgreement.test.ts",
      "test/close/EndpointChoice.test.ts",
      "test/close/MergeGate.test.ts",
      "test/close/SourceAgreement.test.ts",
      "test/close/HeaderRule.test.ts",
      "test/chain/Statement.test.ts",
      "test/chain/Disputes.test.ts",
      "test/chain/SecondWitness.test.ts",
      "test/chain/NewestEntries.test.ts",
      "test/close/WitnessNeed.test.ts",
      "test/close/TokenWitness.test.ts",
      "test/close/leaving/BrokenProtocol.test.ts",
      "test/close/SecondWitness.test.ts",
      "test/close/MoreEndpoints.test.ts",
      "test/close/leaving/tokens/LyingWitness.test.ts",
      "test/close/leaving/tokens/OneWitness.test.ts",
      "test/close/leaving/CodeByReference.test.ts",
      "test/close/LearnedFacts.test.ts",
      "test/close/leaving/UnlistedStake.test.ts"
    ]
  },
  watch: {
    mutate: ["src/close/watch/*.ts"],
    tests: [
      "test/close/AccountControl.test.ts",
      "test/close/CheckedUntil.test.ts",
      "test/close/Confirmation.test.ts",
      "test/close/KnownLumens.test.ts",
      "test/close/Watched.test.ts",
      "test/close/MediatorBreach.test.ts",
      "test/close/PossibleDrain.test.ts",
      "test/close/UncheckedTransactions.test.ts",
      "test/close/Judge.test.ts",
      "test/close/Watcher.test.ts",
      "test/close/LooksAt.test.ts",
      "test/close/MediatorWatch.test.ts"
    ]
  },
  sweep: {
    mutate: ["src/close/sweep/*.ts"],
    tests: [
      "test/close/SweepLoop.test.ts",
      "test/close/SweepRules.test.ts",
      "test/close/MediatorSweep.test.ts",
      "test/close/AutoSweep.test.ts"
    ]
  },
  projection: {
    mutate: ["src/close/project/*.ts"],
    tests: [
      "test/close/ContractTransaction.test.ts",
      "test/close/DryRun.test.ts",
      "test/close/LargeEnvelopes.test.ts",
      "test/close/MergedLumens.test.ts",
      "test/close/MinReceived.test.ts",
      "test/close/Packing.test.ts",
      "test/close/LiftedBlockers.test.ts",
      "test/close/ProjectionBlockers.test.ts",
      "test/close/Signers.test.ts",
      "test/close/Worth.test.ts",
      "test/close/StepTitle.test.ts",
      "test/close/Unverified.test.ts",
      "test/close/PlanWarnings.test.ts",
      "test/close/PlannedTransaction.test.ts",
      "test/close/ProjectionPoints.test.ts",
      "test/close/Projection.test.ts",
      "test/close/Conservation.test.ts"
    ]
  },
  mediator: {
    mutate: [
      "src/close/mediator/{FloatHealth,MediatedEnvelope,MediationReader,MediationRules,Mediator,MediatorResidue,WatchHealth}.ts",
      "src/close/situation/ResidueLimit.ts"
    ],
    tests: [
      "test/close/FloatHealth.test.ts",
      "test/close/WatchHealth.test.ts",
      "test/close/MediatedEnvelope.test.ts",
      "test/close/ResidueLimit.test.ts",
      "test/close/MediationRules.test.ts",
      "test/close/MediatorRules.test.ts",
      "test/close/MediatorMetrics.test.ts",
      "test/close/MediatorResidue.test.ts",
      "test/close/MediatorFloat.test.ts",
      "test/close/MediatorClose.test.ts",
      "test/close/HeaderRule.test.ts",
      "test/close/ExchangeDestination.test.ts",
      "test/close/AutoSweep.test.ts",
      "test/close/MediatorWatch.test.ts"
    ]
  }
}

/** The room that `run.ts` was started for. */
export const chosenRoom = (): Room => {
  const name = process.env["MUTATED_ROOM"] ?? ""
  const room = rooms[name]
  if (room === undefined) throw new Error(`Name a room: ${Object.keys(rooms).join(", ")}.`)
  return room
}
