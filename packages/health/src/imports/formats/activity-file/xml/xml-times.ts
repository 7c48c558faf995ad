import { readInstant, readLocalInstant, type VendorInstant } from '../../../../connectors/index.ts'

/** Reads a time of TCX or GPX; one without a zone is in UTC by practice. */
export function readTime(text: string): VendorInstant | undefined {
  const known = readInstant(text)
  if (known !== undefined) return known
  const local = readLocalInstant(text, 0)
  return local && { at: local.at, offset: null }
}
