import { counted } from "../domain/CountedNoun.ts"

/** Decimal text without zeros at its end. */
export const brief = (amount: string): string => (amount.includes(".") ? amount.replace(/\.?0+$/, "") : amount)

/** A number of lumens in words, without zeros at its end. */
export const briefLumens = (amount: string): string => counted(brief(amount), "lumen")
