/** An address as logs have it: enough to recognise one that is known, and too little to look anyone up. */
export const masked = (address: string): string => `${address.slice(0, 4)}...${address.slice(-4)}`

/** An address of an account, and any text that looks like a secret seed. */
const spelledOut = /\b[GMS][A-Z2-7]{55,68}\b/g

/** A text in which every such address is shortened, and a seed is not to be found. */
export const maskedIn = (text: string): string => text.replace(spelledOut, (found) => (found.startsWith("S") ? "S..." : masked(found)))
