import type { VendorPages } from '../vendor-pages.registry.ts'

/** Measurements as the emulator has them: there is no public form. */
const list = (record: Record<string, unknown>): VendorPages => ({
  records: [{ id: 'm', measured_at: '2026-02-03T07:45:00.000+01:00', ...record }],
  page: (data) => ({ data, next_cursor: null }),
})

export const BEURER_PAGES: Readonly<Record<string, VendorPages>> = {
  blood_pressure: list({ systolic: 124, diastolic: 79, pulse: 66 }),
  glucose: list({ value: 5.6, unit: 'mmol/L' }),
  weight: list({
    kilograms: 70,
    bmi: 23.4,
    fat_percent: 22.5,
    muscle_percent: 41.5,
    water_percent: 55.1,
    bone_kilograms: 2.8,
  }),
}
