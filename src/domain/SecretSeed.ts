import { StrKey } from "@stellar/stellar-sdk"

/** Whether a text is a secret seed: `S` and 55 base32 characters whose checksum holds (SEP-23 StrKey). No such thing belongs here. */
export const isSecretSeed = (text: string): boolean => StrKey.isValidEd25519SecretSeed(text)
