import type { FailureType, MissingResult } from '../../lab-report.ts'
import { createRandom } from '../seeded-random.ts'
import { RELATIONS } from '../values/relations.ts'
import { listRelated, quantityOf, type Slot } from './slots.ts'

/** What laboratories write beside a result that they do not have. */
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

/** First what stands alone, then what is computed from others, at last what others are made from. */
function rankOf(slot: Slot, related: ReadonlySet<string>): number {
  const name = quantityOf(slot)?.analyte
  if (name === undefined || !related.has(name)) return 0
  return RELATIONS.has(name) ? 1 : 2
}

/** Reflex tests and parts of the cancer test are often not reported anyway. */
function listAwaited(slots: readonly Slot[]): readonly Slot[] {
  const required = slots.filter(({ expected }) => expected.required)
  return required.length > 0 ? required : slots
}

/** Picks a third of the results, one at least, but not `spared` where there are others. */
export function pickMissing(
  slots: readonly Slot[],
  spared: Slot | undefined,
  seed: string,
): Slot[] {
  const related = listRelated(slots)
  const random = createRandom(`${seed}|missing`)
  const awaited = listAwaited(slots)
  const ranked = awaited
    .map((slot) => ({ slot, rank: rankOf(slot, related) + random.next() }))
    .filter(({ slot }) => slot !== spared || awaited.length === 1)
    .sort((a, b) => a.rank - b.rank)
  const picked = ranked.slice(0, Math.max(1, Math.floor(awaited.length / 3)))
  return slots.filter((slot) => picked.some((one) => one.slot === slot))
}

/** Writes that results are missing, and why. */
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
