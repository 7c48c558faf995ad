import type { FailureType, MissingResult } from '@salus/contracts/lab-gateway'
import { createRandom } from '../seeded-random.ts'
import { listDependents, takeSlotsTogether } from './held-together.ts'
import type { Slot } from './slots.ts'

/** Notes of laboratories about a missing result. */
const NOTES: Record<FailureType, readonly string[]> = {
  quantity_not_sufficient_failure: ['Quantity not sufficient', 'QNS: specimen volume too low'],
  collection_process_failure: ['Specimen hemolyzed', 'Serum not separated from cells in time'],
  drop_off_failure: [
    'Specimen received beyond stability',
    'Specimen received at wrong temperature',
  ],
  internal_lab_failure: ['Test not performed: laboratory accident', 'Instrument failure'],
  order_entry_failure: ['Test not performed: not ordered correctly'],
  non_failure: ['Duplicate order: see the other report'],
  unknown_failure: ['Test not performed'],
  patient_condition_failure: [
    'Lipemia interferes with the method',
    'Interfering antibodies present',
  ],
  missing_result_calc_failure: ['Unable to calculate: a component is missing or out of range'],
  missing_demo_aoe_calc_failure: ['Unable to calculate: age or sex is missing'],
  insufficient_volume: ['Specimen volume insufficient'],
}

/** Reflex tests and parts of the cancer test are often not reported anyway. */
function listAwaited(slots: readonly Slot[]): readonly Slot[] {
  const required = slots.filter(({ expected }) => expected.required)
  return required.length > 0 ? required : slots
}

/**
 * Picks a third of the results, at least one, but not `spared` where there are others. Results that
 * are calculated from a missing one are missing too, so those with the fewest dependents are
 * picked.
 */
export function pickMissing(
  slots: readonly Slot[],
  spared: Slot | undefined,
  seed: string,
): Slot[] {
  const random = createRandom(`${seed}|missing`)
  const awaited = listAwaited(slots)
  const dependents = new Map(slots.map((slot) => [slot, listDependents(slot, slots)]))
  const dependentsOf = (slot: Slot) => dependents.get(slot) ?? new Set([slot])
  const ranked = awaited
    .map((slot) => ({ slot, rank: dependentsOf(slot).size + random.next() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ slot }) => slot)
  const sparing = ranked.filter((slot) => spared === undefined || !dependentsOf(slot).has(spared))
  const count = Math.max(1, Math.floor(awaited.length / 3))
  const picked = takeSlotsTogether(sparing.length > 0 ? sparing : ranked, dependentsOf, count)
  return slots.filter((slot) => picked.has(slot))
}

/** Returns the missing results, each with its reason. */
export function toMissingResults(
  slots: readonly Slot[],
  kind: FailureType,
  seed: string,
): MissingResult[] {
  const note = createRandom(`${seed}|${kind}`).pick(NOTES[kind])
  return slots.map(({ expected: { name, provider_id, loinc } }) => ({
    name,
    provider_id,
    loinc,
    failure_type: kind,
    note,
  }))
}
