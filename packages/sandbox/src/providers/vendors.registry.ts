import { abbottLibreview } from './abbott-libreview/libreview.ts'
import { freestyleLibre } from './freestyle-libre/freestyle-libre.ts'
import { googleHealth } from './google-health/google-health.ts'
import { oura } from './oura/oura.ts'
import type { Vendor } from './vendor.ts'

/** Every emulated provider: one folder and one row. */
export const VENDORS: readonly Vendor[] = [abbottLibreview, freestyleLibre, googleHealth, oura]
