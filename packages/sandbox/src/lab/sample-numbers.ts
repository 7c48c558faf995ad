import { digitsFrom } from './seeded-random.ts'

/** Returns the number printed on a kit: 10 digits. Another `attempt` returns another number. */
export function makeKitNumber(seed: string, attempt = 0): string {
  return digitsFrom(`${seed}|kit|${attempt}`, 10)
}

/** Returns two letters that identify numbers of a laboratory. */
function lettersOf(labSlug: string): string {
  const words = labSlug.toUpperCase().split(/[^A-Z0-9]+/)
  const initials = words.map((word) => word[0] ?? '').join('')
  return (initials.length > 1 ? initials : `${words[0]}XX`).slice(0, 2)
}

/**
 * Returns the laboratory's number of a requisition: two letters and 14 digits. Another `attempt`
 * returns another number.
 */
export function makeRequisitionNumber(seed: string, labSlug: string, attempt = 0): string {
  return `${lettersOf(labSlug)}${digitsFrom(`${seed}|${labSlug}|requisition|${attempt}`, 14)}`
}

/** Returns the laboratory's number of a specimen (accession). */
export function makeSpecimenNumber(seed: string, labSlug: string): string {
  return `${lettersOf(labSlug)}${digitsFrom(`${seed}|${labSlug}|specimen`, 8)}${lettersOf(labSlug)[0]}`
}
