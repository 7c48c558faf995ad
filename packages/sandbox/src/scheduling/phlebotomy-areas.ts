import type { AppointmentProvider } from '@salus/contracts/lab-gateway'

/** Facts of a ZIP code that decide whether it is served. */
export interface AreaFacts {
  /** Two letters. */
  state: string
  isMilitary: boolean
  /** False for P.O. boxes and for single buildings. */
  hasArea: boolean
}

/** Their ZIP codes look like those of states; they are not served. */
const TERRITORIES = new Set(['AS', 'FM', 'GU', 'MH', 'MP', 'PR', 'PW', 'UM', 'VI'])

/** ZIP codes that one provider serves and the other does not. */
const ONLY_ONE: Readonly<Record<string, AppointmentProvider>> = {
  '85004': 'getlabs',
  '54650': 'phlebfinders',
}

/**
 * Whether a provider serves a ZIP code of five digits (docs/decisions/0031-areas-of-sandboxes.md).
 * @param onlyZips Narrows it; empty for all
 */
export function servesArea(
  provider: AppointmentProvider,
  zip: string,
  facts: AreaFacts | undefined,
  onlyZips: ReadonlySet<string>,
): boolean {
  if (onlyZips.size > 0 && !onlyZips.has(zip)) return false
  if (facts === undefined || facts.isMilitary || !facts.hasArea) return false
  return !TERRITORIES.has(facts.state) && (ONLY_ONE[zip] ?? provider) === provider
}
