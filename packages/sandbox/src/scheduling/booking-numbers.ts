import type { AppointmentProvider } from '@salus/contracts/lab-gateway'
import { createRandom, digitsFrom } from '../lab/seeded-random.ts'

/** Letters without vowels form no words. */
const LETTERS = [...'BCDFGHJKLMNPQRSTVWXZ']

/** Format of each provider's booking numbers. */
const PROVIDER_IDS: Record<AppointmentProvider, (seed: string) => string> = {
  getlabs: (seed) => `glb_${digitsFrom(seed, 12)}`,
  phlebfinders: (seed) => `PF-${digitsFrom(seed, 7)}`,
  quest: (seed) => digitsFrom(seed, 10),
  sonora_quest: (seed) => `SQ${digitsFrom(seed, 8)}`,
}

/**
 * Returns the provider's own id of an appointment, and the number that its patient shows; the same
 * each time.
 */
export function bookingNumbers(
  provider: AppointmentProvider,
  appointmentId: string,
): { providerId: string; externalId: string | null } {
  const providerId = PROVIDER_IDS[provider](`${appointmentId}|provider-id`)
  const { pick } = createRandom(`${appointmentId}|external-id`)
  const externalId =
    provider === 'quest' ? Array.from({ length: 6 }, () => pick(LETTERS)).join('') : null
  return { providerId, externalId }
}
