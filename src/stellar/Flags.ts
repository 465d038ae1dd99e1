/** `AccountFlags`: what an issuer keeps in hand. */
export const accountFlags = { authRequired: 1, authRevocable: 2, authImmutable: 4, authClawbackEnabled: 8 } as const

/** `TrustLineFlags`. */
export const trustlineFlags = { authorized: 1, clawbackEnabled: 4 } as const

/** `ClaimableBalanceFlags`. */
export const claimableBalanceFlags = { clawbackEnabled: 1 } as const
