import type { RequisitionResult } from '@salus/contracts/lab-gateway'
import { createRandom } from '../seeded-random.ts'
import type { Level } from '../values/sample-value.ts'
import { GALLERI_ORIGINS } from './galleri.registry.ts'
import { abnormalFlag, type Printed, printWords } from './printed.ts'
import type { Slot } from './slots.ts'

/** The cancer test whose results are codes (docs/contract/13-results.md#coded-results). */
const SIGNAL = '86038987'
const PARTS = /^86038987(?:_(\d+))?$/

/** True for a result of the cancer test: its signal, or a part that describes one. */
export const isGalleri = ({ expected }: Slot): boolean => PARTS.test(expected.provider_id ?? '')

/** Parts of a detected signal, for catalogs that announce the signal only. */
const DETECTED_PARTS = [
  { name: 'Cancer signal origin', provider_id: `${SIGNAL}_1` },
  { name: 'Cancer signal subcategory', provider_id: `${SIGNAL}_2` },
  { name: 'Comment 1', provider_id: `${SIGNAL}_3` },
]

const COMMENTS = [
  'A cancer signal was detected. Diagnostic evaluation is needed to confirm cancer.',
  'This result is simulated.',
]

function printPart(part: number, level: Level | null, seed: string): Printed {
  const [origin, subcategory] = createRandom(`${seed}|galleri`).pick(GALLERI_ORIGINS)
  const flag = level === null ? 'N' : abnormalFlag(level)
  if (part > 2) {
    return { ...printWords(COMMENTS[part - 3] ?? COMMENTS.at(-1) ?? ''), flag }
  }
  const signal = level === null ? 'NOT_DETECTED' : 'DETECTED'
  const result = [signal, origin, subcategory][part] as string
  return { ...printWords(result), type: 'coded_value', notes: null, flag }
}

/** A result of the cancer test with the expectation that it fulfills. */
export interface GalleriResult {
  slot: Slot
  expected: Pick<RequisitionResult, 'name' | 'provider_id' | 'loinc'>
  printed: Printed
}

/** Prints one result when no signal is detected, else the signal, its origin and comments. */
export function printGalleri(
  slots: readonly Slot[],
  level: Level | null,
  seed: string,
): GalleriResult[] {
  const [first] = slots
  if (first === undefined) return []
  const listed = slots.map((slot) => ({
    slot,
    expected: slot.expected as GalleriResult['expected'],
  }))
  const missing = DETECTED_PARTS.filter(
    (part) => !slots.some(({ expected }) => expected.provider_id === part.provider_id),
  ).map((part) => ({ slot: first, expected: { ...part, loinc: null } }))
  const all = slots.length > 1 ? listed : [...listed, ...missing]
  const partOf = ({ provider_id }: GalleriResult['expected']): number =>
    Number(PARTS.exec(provider_id ?? '')?.[1] ?? 0)
  return all
    .filter(({ expected }) => level !== null || partOf(expected) === 0)
    .map((result) => ({ ...result, printed: printPart(partOf(result.expected), level, seed) }))
}
