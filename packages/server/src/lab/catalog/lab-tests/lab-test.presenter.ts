import type { LabTest } from '../lab-catalog.schema.ts'
import type { TimedLabTestRow } from './lab-tests.repository.ts'

/** A test as answers show it; `lab` and `markers` are filled by the endpoints of lab tests only. */
export function toLabTest(
  row: TimedLabTestRow,
  filled: Pick<LabTest, 'lab' | 'markers'> = { lab: null, markers: null },
): LabTest {
  const { id, slug, name, description, method, sample_type, status, fasting, auto_generated } = row
  return {
    id,
    slug,
    name,
    sample_type,
    method,
    price: row.price_cents / 100,
    is_active: status === 'active',
    status,
    fasting,
    lab: filled.lab,
    markers: filled.markers,
    is_delegated: false,
    auto_generated,
    // Salus writes the instructions itself, so every test has them.
    has_collection_instructions: true,
    common_tat_days: row.common_tat_days,
    worst_case_tat_days: row.worst_case_tat_days,
    description,
  }
}
