import { BLOOD_COUNT } from './blood-count.registry.ts'
import { CHEMISTRY } from './chemistry.registry.ts'
import { HORMONES } from './hormones.registry.ts'
import { IMMUNOLOGY } from './immunology.registry.ts'
import type { QuantityRow } from './quantity.ts'

/**
 * Reference intervals, critical limits and usual values by LOINC code, sex and age: widely known
 * facts, good enough to make reports that look right. No one must be treated by them. Their sources
 * are named in data/reference-intervals/README.md.
 */
export const QUANTITIES: readonly QuantityRow[] = [
  ...BLOOD_COUNT,
  ...CHEMISTRY,
  ...HORMONES,
  ...IMMUNOLOGY,
]
