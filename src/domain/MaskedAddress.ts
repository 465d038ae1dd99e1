/** An address as logs have it: enough to recognise one that is known, and too little to look anybody up. */
export const masked = (address: string): string => `${address.slice(0, 4)}...${address.slice(-4)}`
